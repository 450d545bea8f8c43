package dev.cairn.coprocessor.write;

import dev.cairn.engine.region.steps.WriteSteps;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.regionserver.hooked.HookedTable;
import dev.cairn.server.regionserver.hosted.ReferenceCheck;
import java.util.Optional;
import java.util.Set;

/**
 * The parts that writes of a region with hooks share. Thread-safe.
 *
 * @param steps the region's writes in steps
 * @param hooks calls its hooks
 * @param table limits the handlers of clients' calls
 * @param references checks references to other tables; empty if there are none
 */
record HookedRegionWrites(
    RegionInfo info,
    TableSchema schema,
    WriteSteps steps,
    WriteHooks hooks,
    HookedTable table,
    Optional<ReferenceCheck> references) {
  /** Returns the same without hooks. */
  HookedRegionWrites withoutHooks() {
    return new HookedRegionWrites(
        info,
        schema,
        steps,
        new WriteHooks(hooks.host(), Set.of(), hooks.compressedLog()),
        table,
        references);
  }
}
