/**
 * Customers and their orders: which join for which question? {@link dev.cairn.studies.joins.Joins}
 * is the study. The joins in the client, the MapReduce jobs and the SQL of Apache Phoenix are each
 * a class; docs/designs/joins.md tells when to take which.
 */
package dev.cairn.studies.joins;
