package io.github.hilo.sample.shop;

import org.springframework.data.repository.ListCrudRepository;

/**
 * The invoices.
 */
interface InvoiceRepository extends ListCrudRepository<Invoice, Long> {

}
