package dev.cairn.engine.region;

import dev.cairn.engine.layout.MovingFile;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreView;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import dev.cairn.engine.wal.split.RecoveredEdits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The store files of a region at one moment. Immutable. It does not hold its files: a compaction
 * may archive one at any time.
 *
 * @param families all families, in the order of the descriptor
 */
public record RegionSnapshot(RegionInfo region, List<Family> families) {
  /** The treatment of cells in memory by a snapshot of an open region. */
  public enum Memory {
    /** Writes them to files, which belong to the snapshot. */
    FLUSH,

    /** Leaves them out. */
    SKIP
  }

  /** The files of one family. */
  public record Family(String name, List<File> files) {}

  /**
   * One file.
   *
   * @param name its name in the family's directory, which may be a link's or a reference's
   * @param bytes the length of the HFile, bytes; all of it, also for a reference
   * @param part the part that belongs to the region; empty if all of it does
   */
  public record File(String name, long bytes, Optional<Reference> part) {}

  /** Returns the files of an open region. Each store is seen at one moment. */
  static RegionSnapshot of(RegionInfo region, List<Store> stores) {
    List<Family> families = new ArrayList<>();
    for (Store store : stores) {
      StoreView view = store.pin();
      try {
        families.add(
            new Family(
                store.family().nameAsString(),
                view.files().stream().map(RegionSnapshot::file).toList()));
      } finally {
        view.release();
      }
    }
    return new RegionSnapshot(region, families);
  }

  private static File file(StoreFile file) {
    return new File(file.name(), file.reader().length(), file.part());
  }

  /**
   * Reads the files of a region that no server has open. Ignores recovered edits of a region that
   * was split: they come from a log that was split later, and the store files have all cells.
   *
   * @throws IOException also if the region has cells that are in no store file
   */
  public static RegionSnapshot read(
      RegionInfo region, TableSchema schema, String dataDirectory, StoreContext context)
      throws IOException {
    Storage storage = context.storage();
    RegionDirectory home = RegionDirectory.of(dataDirectory, region);
    if (!region.split() && !new RecoveredEdits(storage, home.path()).files().isEmpty()) {
      throw new IOException(
          home.path()
              + " has edits that are in no store file; enable the table, which writes them to"
              + " files, and disable it again");
    }
    List<Family> families = new ArrayList<>();
    for (FamilySchema family : schema.families()) {
      StoreDirectory store =
          new StoreDirectory(
              dataDirectory, region.table(), region.encodedName(), family.nameAsString());
      List<File> files = new ArrayList<>();
      for (TrackedFile file : context.forFamily(schema, family).tracker(store.path()).load()) {
        files.add(file(storage, store, file));
      }
      families.add(new Family(family.nameAsString(), files));
    }
    return new RegionSnapshot(region, families);
  }

  private static File file(Storage storage, StoreDirectory store, TrackedFile file)
      throws IOException {
    StoreFileName name = StoreFileName.parse(file.name());
    if (name instanceof StoreFileName.Plain) {
      return new File(file.name(), file.length(), Optional.empty());
    }
    Optional<Reference> part = Optional.empty();
    if (name instanceof StoreFileName.Half) {
      String path = store.file(file.name());
      part = Optional.of(Reference.fromFile(path, storage.readAll(path)));
    }
    long bytes = new MovingFile(store.targets(name)).length(storage, store.file(file.name()));
    return new File(file.name(), bytes, part);
  }
}
