/**
 * The secondary indexes of stores: they are made with each store file, lie in its meta blocks, and
 * are searched for the rows that a scan must visit.
 */
package dev.cairn.engine.store.index;
