package io.github.hilo.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class ShopApplication {

}
