package dev.cairn.engine.region.lifecycle;

import dev.cairn.engine.region.ClosedFiles;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreTruncation;
import dev.cairn.engine.wal.split.RecoveredEdits;
import java.io.IOException;

/** Empties a closed region: its files go to the archive, its sequence numbers go on. */
public final class RegionTruncation {
  private RegionTruncation() {}

  /** Does it; harmless if done twice. Nothing else may use the region. */
  public static void run(
      RegionInfo region, TableSchema schema, String dataDirectory, StoreContext context)
      throws IOException {
    RegionCreation birth = new RegionCreation(dataDirectory, context.storage());
    RecoveredEdits edits =
        new RecoveredEdits(context.storage(), RegionDirectory.of(dataDirectory, region).path());
    long sequence = Math.max(edits.flushedSequence(), edits.highestSequence());
    for (FamilySchema family : schema.families()) {
      sequence =
          Math.max(
              sequence,
              stores(context, schema, family, region).highestSequence(birth.store(region, family)));
    }
    // Before anything goes, or the numbers would begin anew.
    edits.markFlushed(sequence);
    edits.delete(edits.all());
    new ClosedFiles(context.storage(), RegionDirectory.of(dataDirectory, region)).delete();
    for (FamilySchema family : schema.families()) {
      stores(context, schema, family, region).archive(birth.store(region, family));
    }
  }

  private static StoreTruncation stores(
      StoreContext context, TableSchema schema, FamilySchema family, RegionInfo region) {
    return new StoreTruncation(context.forFamily(schema, family), region.comparator());
  }
}
