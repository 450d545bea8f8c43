package dev.cairn.engine.region;

import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.wal.RecoveredEdits;
import java.io.IOException;

/** What making regions of the files of closed ones has in common. */
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
   * @throws IOException if it has something in {@code recovered.edits}
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
    return edits.flushedSequence();
  }

  /** Returns where a region's files of one family lie. */
  StoreDirectory store(RegionInfo region, FamilySchema family) {
    return new StoreDirectory(
        dataDirectory, region.table(), region.encodedName(), family.nameAsString());
  }

  /**
   * Completes a region whose stores are there: its numbers go on behind {@code sequence}. Its
   * {@code .regioninfo} comes last.
   */
  void complete(RegionInfo region, long sequence) throws IOException {
    RegionDirectory directory = RegionDirectory.of(dataDirectory, region);
    new RecoveredEdits(storage, directory.path()).markFlushed(sequence);
    storage.writeAll(directory.regionInfo(), RegionInfoFormat.toFile(region));
  }
}
