/** An entity with entities in it, such as an account with its entries: one row or many. */
package dev.cairn.studies.nested;
