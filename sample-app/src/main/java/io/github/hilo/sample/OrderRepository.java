package io.github.hilo.sample;

import java.util.List;

import org.springframework.data.repository.ListCrudRepository;

/**
 * The orders.
 */
interface OrderRepository extends ListCrudRepository<Order, String> {

	List<Order> findTop20ByOrderByPlacedAtDescPositionDescIdDesc();

}
