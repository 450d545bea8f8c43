package dev.cairn.engine.store;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.tracking.StoreFileTracker;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HFileProtos.CompactionEventTracker;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the files of a store, and sweeps those that a compaction has replaced.
 *
 * <p>A compaction's result names its inputs in its file info, as HBase's does ({@code
 * COMPACTION_EVENT_KEY}: the magic {@code PBUF} and a {@code CompactionEventTracker}). The rename
 * of the result replaces the inputs; if a crash kept them from being archived, that is done here.
 * Otherwise a remaining input could bring back cells that a delete marker in another, deleted input
 * had hidden.
 */
final class StoreFiles {
  private static final Logger LOG = LoggerFactory.getLogger(StoreFiles.class);
  private static final byte[] COMPACTION_EVENT_KEY = Bytes.utf8("COMPACTION_EVENT_KEY");
  private static final byte[] PROTOBUF_MAGIC = Bytes.utf8("PBUF");

  private StoreFiles() {}

  /**
   * Opens all files in {@code directory} that count, ordered by sequence number; creates the
   * directory.
   */
  static List<StoreFile> open(StoreContext context, String directory, CellComparator comparator)
      throws IOException {
    context.storage().createDirectories(directory);
    Loaded loaded = load(context, context.tracker(directory), directory, comparator);
    loaded.archiveReplaced(file -> {}); // The next opening archives it.
    return loaded.files();
  }

  /**
   * The open files of a store.
   *
   * @param listed the files that the tracker lists
   * @param files the files that count, ordered by sequence number
   * @param replaced listed files that do not count, because a compaction has replaced them
   */
  record Loaded(List<TrackedFile> listed, List<StoreFile> files, List<StoreFile> replaced)
      implements Closeable {
    /** No files. */
    static final Loaded NONE = new Loaded(List.of(), List.of(), List.of());

    /**
     * Archives the files that a compaction has replaced. Only the store's owner may do so.
     *
     * @param unarchived gets the files that cannot be archived
     */
    void archiveReplaced(Consumer<StoreFile> unarchived) {
      for (StoreFile file : replaced) {
        LOG.info("Archiving {}, which a compaction replaced before the last stop", file);
        file.markReplaced(unarchived);
      }
      replaced.forEach(StoreFile::release);
      replaced.clear();
    }

    /** Returns the highest sequence number of a cell in the files, 0 if there are none. */
    long maxCellSequence() {
      return files.stream().mapToLong(StoreFile::maxCellSequence).max().orElse(0);
    }

    /** Closes all files. */
    @Override
    public void close() {
      files.forEach(StoreFile::release);
      replaced.forEach(StoreFile::release);
    }
  }

  /** Opens all files that {@code tracker} lists. Changes nothing. */
  static Loaded load(
      StoreContext context, StoreFileTracker tracker, String directory, CellComparator comparator)
      throws IOException {
    return load(context, tracker, directory, comparator, Map.of());
  }

  /**
   * As the method above, but uses the files that are open already.
   *
   * @param known open files by their names; the caller is a user of each
   */
  static Loaded load(
      StoreContext context,
      StoreFileTracker tracker,
      String directory,
      CellComparator comparator,
      Map<String, StoreFile> known)
      throws IOException {
    List<TrackedFile> listed = tracker.load();
    while (true) {
      try {
        return open(context, listed, directory, comparator, known);
      } catch (NoSuchFileException e) {
        List<TrackedFile> now = tracker.load();
        if (now.equals(listed)) {
          throw DamagedFileException.missing(e.getFile(), "expected a file of the store");
        }
        listed = now; // its previous owner has replaced the file
      }
    }
  }

  private static StoreFile openOne(StoreContext context, String path, CellComparator comparator)
      throws IOException {
    Optional<StoreFile> warm = context.warm().take(path);
    return warm.isPresent() ? warm.get() : StoreFile.open(context, path, comparator);
  }

  private static Loaded open(
      StoreContext context,
      List<TrackedFile> listed,
      String directory,
      CellComparator comparator,
      Map<String, StoreFile> known)
      throws IOException {
    List<StoreFile> files = new ArrayList<>();
    boolean complete = false;
    try {
      for (TrackedFile file : listed) {
        StoreFile open = known.get(file.name());
        if (open != null) {
          open.retain();
        } else {
          open = openOne(context, Storage.join(directory, file.name()), comparator);
        }
        files.add(open);
      }
      complete = true;
    } finally {
      if (!complete) {
        files.forEach(StoreFile::release);
      }
    }
    Set<String> inputs = new HashSet<>();
    files.forEach(file -> inputs.addAll(inputsOf(file)));
    List<StoreFile> replaced = new ArrayList<>(files);
    replaced.removeIf(file -> !inputs.contains(file.name()));
    files.removeAll(replaced);
    files.sort(Comparator.comparingLong(StoreFile::maxSequence).thenComparing(StoreFile::name));
    return new Loaded(listed, files, replaced);
  }

  /**
   * As {@link #open(StoreContext, String, CellComparator)}, before other regions refer to the
   * files. A compaction that failed, or a process that was killed, may have left a file whose name
   * is not synced. A power cut would take that file away and leave the references, so this method
   * syncs the directory.
   */
  static List<StoreFile> openToRefer(
      StoreContext context, String directory, CellComparator comparator) throws IOException {
    context.storage().syncDirectory(directory);
    return open(context, directory, comparator);
  }

  /**
   * Returns the file info entry that names a compaction's inputs, and those of their own inputs
   * that still exist because a scan holds them: once the input that names them is gone, only the
   * new file can. It also names files that were dropped before and still exist: a marker that the
   * compaction removed may have hidden their cells.
   */
  static Map.Entry<byte[], byte[]> compactionEvent(
      Storage storage, String directory, List<StoreFile> inputs, Set<String> dropped)
      throws IOException {
    CompactionEventTracker.Builder event = CompactionEventTracker.newBuilder();
    for (StoreFile input : inputs) {
      event.addCompactedStoreFile(UnsafeByteOperations.unsafeWrap(Bytes.utf8(input.name())));
      for (String earlier : inputsOf(input)) {
        if (storage.exists(Storage.join(directory, earlier))) {
          event.addCompactedStoreFile(UnsafeByteOperations.unsafeWrap(Bytes.utf8(earlier)));
        }
      }
    }
    for (String name : List.copyOf(dropped)) {
      if (storage.exists(Storage.join(directory, name))) {
        event.addCompactedStoreFile(UnsafeByteOperations.unsafeWrap(Bytes.utf8(name)));
      } else {
        dropped.remove(name);
      }
    }
    return Map.entry(
        COMPACTION_EVENT_KEY, Bytes.concat(PROTOBUF_MAGIC, event.build().toByteArray()));
  }

  /**
   * Tells whether a file is the result of a compaction some of whose inputs still exist, because a
   * scan holds them.
   */
  static boolean hasInputsLeft(Storage storage, String directory, StoreFile file)
      throws IOException {
    for (String input : inputsOf(file)) {
      if (storage.exists(Storage.join(directory, input))) {
        return true;
      }
    }
    return false;
  }

  private static List<String> inputsOf(StoreFile file) {
    if (!(file.storeName() instanceof StoreFileName.Plain)) {
      return List.of(); // the inputs are, or were, in the HFile's directory
    }
    return namedBy(file);
  }

  /** Tells whether {@code file} is a compaction's result: a flush names no inputs. */
  static boolean hasInputs(StoreFile file) {
    return !namedBy(file).isEmpty();
  }

  private static List<String> namedBy(StoreFile file) {
    byte[] value = file.reader().info().fileInfo().get(COMPACTION_EVENT_KEY);
    if (value == null || value.length < PROTOBUF_MAGIC.length) {
      return List.of();
    }
    try {
      return CompactionEventTracker.parseFrom(
              UnsafeByteOperations.unsafeWrap(
                  value, PROTOBUF_MAGIC.length, value.length - PROTOBUF_MAGIC.length))
          .getCompactedStoreFileList()
          .stream()
          .map(name -> name.toStringUtf8())
          .toList();
    } catch (InvalidProtocolBufferException e) {
      LOG.warn("{} has an unreadable list of compacted files: {}", file, e.toString());
      return List.of();
    }
  }
}
