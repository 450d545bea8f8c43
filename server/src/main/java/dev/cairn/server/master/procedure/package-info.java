/**
 * Runs procedures: changes of several steps that survive a kill. {@link
 * dev.cairn.server.master.procedure.Procedure} is the contract, {@link
 * dev.cairn.server.master.procedure.ProcedureExecutor} runs and stores the steps, and {@link
 * dev.cairn.server.master.procedure.HBaseProcedures} decides what becomes of the procedures that
 * HBase's master left. Knows no single kind of change but by name. Imports {@code loop}, {@code
 * store} and {@code table}.
 */
package dev.cairn.server.master.procedure;
