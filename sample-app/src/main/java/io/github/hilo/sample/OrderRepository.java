package io.github.hilo.sample;

import org.springframework.data.repository.ListCrudRepository;

/**
 * The orders.
 */
interface OrderRepository extends ListCrudRepository<Order, String> {

}
