/**
 * The procedures that change tables, regions and namespaces, one class for each. All work with
 * {@link dev.cairn.server.master.ddl.ProcedureContext}, are called by the loop's owner, and do not
 * wait. Imports {@code procedure} and the rooms that keep what the procedures change: {@code
 * assignment}, {@code meta}, {@code namespace}, {@code quota}, {@code remote}, {@code table}.
 */
package dev.cairn.server.master.ddl;
