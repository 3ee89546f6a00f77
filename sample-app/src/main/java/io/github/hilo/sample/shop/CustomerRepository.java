package io.github.hilo.sample.shop;

import org.springframework.data.repository.ListCrudRepository;

/**
 * The customers.
 */
interface CustomerRepository extends ListCrudRepository<Customer, String> {

}
