/** Customers, orders and their items: one table or several, normalised or denormalised. */
package dev.cairn.studies.order;
