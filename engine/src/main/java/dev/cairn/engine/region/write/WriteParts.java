package dev.cairn.engine.region.write;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.read.RegionReader;
import dev.cairn.engine.time.Clock;
import java.util.Optional;

/**
 * The parts of a region that writes in one call and writes in steps share.
 *
 * @param rows the locks of stripes of rows
 * @param explicit the locks of single rows; empty if the region does not offer its writes in steps
 * @param memory the memory for cells that a write reads
 * @param room the memory of the memstores
 */
public record WriteParts(
    RegionReader reader,
    RowLocks rows,
    Optional<ExplicitRowLocks> explicit,
    TimestampAllocator times,
    MutationCheck check,
    MutationResolver resolver,
    WriteDurability durability,
    MemoryAccount memory,
    MemStoreRoom room,
    WriteStaging staging,
    WriteCompletion completion,
    Clock clock) {}
