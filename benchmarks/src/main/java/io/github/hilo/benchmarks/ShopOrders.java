package io.github.hilo.benchmarks;

import org.springframework.data.mongodb.repository.MongoRepository;

/**
 * The orders of the shop.
 */
interface ShopOrders extends MongoRepository<ShopOrder, String> {

}
