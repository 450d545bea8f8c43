package dev.cairn.engine.region;

import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.tracking.StoreFileTracker;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.engine.wal.split.RecoveredEdits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that HBase leaves if {@code hbase.wal.split.to.hfile} makes it split logs into store
 * files instead of {@code recovered.edits}. They lie below {@code recovered.hfiles} in a family's
 * directory; the region takes them into its store when it opens.
 *
 * <p>HBase writes them under their final names. One that is not whole is left from a split that was
 * killed; the log that it was made from is then still there, and has been split anew. It is set
 * aside among the recovered edits, where HBase puts bad ones, too.
 *
 * <p>HBase 2.6 writes them without the tags of their cells.
 */
final class RecoveredHFiles {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveredHFiles.class);
  private static final String DIRECTORY = "recovered.hfiles";

  private final StoreContext context;
  private final Storage storage;
  private final RegionDirectory directory;
  private final RegionInfo info;
  private final TableSchema schema;

  RecoveredHFiles(
      StoreContext context, RegionDirectory directory, RegionInfo info, TableSchema schema) {
    this.context = context;
    this.storage = context.storage();
    this.directory = directory;
    this.info = info;
    this.schema = schema;
  }

  /** Tells whether there are any. */
  boolean exist() throws IOException {
    for (FamilySchema family : schema.families()) {
      if (!files(family).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Turns them into store files, which the next opening of the stores finds. All recovered edits
   * must have been applied before: once these files exist, older numbers are treated as flushed.
   * May be repeated after a crash.
   *
   * @param scratch the directory of the region's owner
   */
  void takeIn(ScratchDirectory scratch) throws IOException {
    for (FamilySchema family : schema.families()) {
      String home = directory.family(family.nameAsString());
      StoreContext own = context.forFamily(schema, family);
      StoreFileTracker tracker = own.tracker(home, scratch);
      List<TrackedFile> counted = new ArrayList<>(tracker.load());
      for (Storage.FileInfo file : files(family)) {
        TrackedFile taken = new TrackedFile(file.name(), file.length());
        if (counted.contains(taken)) {
          continue; // before a crash
        }
        if (isWhole(file.path())) {
          if (own.settings().tracking().source() == StoreFileTracking.Kind.FILE) {
            copy(file.path(), Storage.join(home, file.name()));
          } else {
            storage.moveIn(file.path(), Storage.join(home, file.name()));
          }
          counted.add(taken);
          LOG.info("Took {} into its store", file.path());
        } else {
          new RecoveredEdits(storage, directory.path()).createDirectory();
          storage.moveIn(
              file.path(),
              Storage.join(
                  directory.path(),
                  "recovered.edits/" + family.nameAsString() + "-" + file.name() + ".corrupt"));
        }
      }
      if (storage.exists(directory(family))) {
        tracker.begin(counted);
        storage.delete(directory(family));
      }
    }
  }

  /** Copies a file that does not count before it is listed: a renamed one might be lost. */
  private void copy(String from, String to) throws IOException {
    storage.delete(to);
    byte[] buffer = new byte[1 << 20];
    try (ReadableFile input = storage.open(from);
        AppendFile output = storage.createIn(to)) {
      for (long at = 0; at < input.length(); at += buffer.length) {
        int length = (int) Math.min(buffer.length, input.length() - at);
        input.readFully(at, buffer, 0, length);
        output.write(buffer, 0, length);
      }
      output.sync();
    }
  }

  private boolean isWhole(String path) throws IOException {
    try {
      try (HFileReader reader =
          HFileReader.open(storage, path, context.cache(), info.comparator())) {
        if (!reader.info().includesTags()) {
          LOG.warn(
              "{} has no tags: HBase drops them where hbase.wal.split.to.hfile is true. If its"
                  + " cells had TTLs of their own or visibility labels, these are lost",
              path);
        }
      }
      return true;
    } catch (CorruptFileException e) {
      LOG.warn(
          "A file that a split of HBase's left is not whole; it is set aside, and should come again"
              + " from the log: {}",
          e.getMessage());
      return false;
    }
  }

  private List<Storage.FileInfo> files(FamilySchema family) throws IOException {
    List<Storage.FileInfo> files = new ArrayList<>(storage.list(directory(family)));
    files.removeIf(file -> file.directory() || file.name().startsWith("."));
    return files;
  }

  private String directory(FamilySchema family) {
    return Storage.join(directory.family(family.nameAsString()), DIRECTORY);
  }
}
