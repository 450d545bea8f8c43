package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Mutation.Durability;

/**
 * A change that is in the memstores and queued for the log, and not yet safe or visible.
 *
 * @param write its number
 * @param ticket what the log gave for it, 0 if there was nothing to log
 * @param durability what must have happened to the log before it is acknowledged
 * @param result the cells that are wanted back
 */
record StagedWrite(Mvcc.Write write, long ticket, Durability durability, CellBuffer result) {}
