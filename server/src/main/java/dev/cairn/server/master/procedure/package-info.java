/**
 * Runs procedures: changes of several steps that survive a kill. {@link
 * dev.cairn.server.master.procedure.Procedure} is the contract, {@link
 * dev.cairn.server.master.procedure.ProcedureExecutor} runs the steps: those of one resource in the
 * order of {@code ProcedureQueues}, with {@code ProcedureRecords} of what is known and a {@code
 * ProcedureWriter} to the master's store. {@link dev.cairn.server.master.procedure.HBaseProcedures}
 * decides about the procedures that HBase's master left. Knows the kinds of changes by name only.
 * Imports {@code loop}, {@code store} and {@code table}.
 */
package dev.cairn.server.master.procedure;
