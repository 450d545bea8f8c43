package dev.cairn.engine.region.lifecycle;

import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.region.bulkload.BulkLoadJournal;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.wal.split.RecoveredEdits;
import java.io.IOException;
import java.util.List;

/** The steps that are common to all ways of making regions from the files of closed ones. */
final class RegionCreation {
  private final String dataDirectory;
  private final Storage storage;

  RegionCreation(String dataDirectory, Storage storage) {
    this.dataDirectory = dataDirectory;
    this.storage = storage;
  }

  /**
   * Checks that a parent's files hold all that it has, and returns the sequence number that it has
   * marked, 0 if it has not.
   *
   * @throws IOException if it has something in {@code recovered.edits}, or files of a bulk load
   *     that was interrupted
   */
  long checkFlushed(RegionInfo parent) throws IOException {
    RegionDirectory home = RegionDirectory.of(dataDirectory, parent);
    RecoveredEdits edits = new RecoveredEdits(storage, home.path());
    if (!edits.files().isEmpty()) {
      throw new IOException(
          home.path()
              + " has edits that are in no store file; open the region before it is split or"
              + " merged");
    }
    if (BulkLoadJournal.hasLoads(storage, home)) {
      throw new IOException(
          home.path()
              + " has files of a bulk load that was interrupted; open the region before it is split"
              + " or merged");
    }
    return edits.flushedSequence();
  }

  /** Returns where a region's files of one family lie. */
  StoreDirectory store(RegionInfo region, FamilySchema family) {
    return new StoreDirectory(
        dataDirectory, region.table(), region.encodedName(), family.nameAsString());
  }

  /**
   * Prepares a region before its files are known: makes its directories, and writes its description
   * under the name {@link RegionDirectory#preparedRegionInfo}. Nothing of the region may exist.
   */
  void prepare(RegionInfo region, TableSchema schema) throws IOException {
    RegionDirectory home = RegionDirectory.of(dataDirectory, region);
    for (FamilySchema family : schema.families()) {
      storage.createDirectories(home.family(family.nameAsString()));
    }
    new RecoveredEdits(storage, home.path()).createDirectory();
    storage.createAll(
        List.of(new Storage.SmallFile(home.preparedRegionInfo(), RegionInfoFormat.toFile(region))));
  }

  /**
   * Completes a prepared region whose stores exist: its sequence numbers continue after {@code
   * sequence}. Writes {@code .regioninfo} last.
   */
  void complete(RegionInfo region, long sequence) throws IOException {
    RegionDirectory home = RegionDirectory.of(dataDirectory, region);
    new RecoveredEdits(storage, home.path()).markFlushed(sequence);
    storage.replace(home.preparedRegionInfo(), home.regionInfo());
  }
}
