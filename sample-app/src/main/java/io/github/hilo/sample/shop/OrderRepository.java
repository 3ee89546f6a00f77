package io.github.hilo.sample.shop;

import org.springframework.data.repository.ListCrudRepository;

/**
 * The orders.
 */
public interface OrderRepository extends ListCrudRepository<Order, String> {

}
