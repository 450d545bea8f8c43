/**
 * Secondary indexes: which columns of a table have one, and what an index stores of a cell. An
 * index belongs to a source of cells: each memstore segment and each store file has its own.
 */
package dev.cairn.engine.index;
