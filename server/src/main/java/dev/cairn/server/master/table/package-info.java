/**
 * The tables: their descriptors and states ({@link dev.cairn.server.master.table.Tables}), the
 * checks of a new descriptor ({@link dev.cairn.server.master.table.TableDescriptorChecker}, {@link
 * dev.cairn.server.master.table.SchemaRules}), and the name under which a procedure locks a table
 * ({@link dev.cairn.server.master.table.TableResource}). Imports {@code loop} and {@code meta}
 * only.
 */
package dev.cairn.server.master.table;
