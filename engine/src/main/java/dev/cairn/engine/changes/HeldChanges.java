package dev.cairn.engine.changes;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps changes that are read but not returned yet. When they exceed a limit of memory, all move to
 * a scratch file, as one sorted run per region. Taking the changes merges the runs. The memory
 * depends on the limit and on the number of regions, but not on the number of changes: a run takes
 * about 100 bytes, and a buffer of 4 KB while it is read.
 *
 * <p>Each poll of the logs has its own scratch file, which is deleted after its last change is
 * taken. Not thread-safe.
 */
final class HeldChanges implements Closeable {
  private final Storage scratch;
  private final String path;
  private final long memoryMax;
  private final Map<String, RegionStream> streams = new HashMap<>();
  private final List<SpillFile> files = new ArrayList<>();
  private Optional<SpillFile> file = Optional.empty();
  private int fileNumber;
  private long memory;

  /**
   * Creates an empty one.
   *
   * @param path the prefix of the paths of scratch files
   * @param memoryMax how many bytes changes may take in memory
   */
  HeldChanges(Storage scratch, String path, long memoryMax) {
    this.scratch = scratch;
    this.path = path;
    this.memoryMax = memoryMax;
  }

  /** Returns about how many bytes the changes take in memory. */
  long memory() {
    return memory;
  }

  /** Returns the newest change of each region. */
  Map<String, RegionStream.Place> newest() {
    Map<String, RegionStream.Place> newest = new HashMap<>();
    streams.forEach((region, stream) -> newest.put(region, stream.highest()));
    return newest;
  }

  RegionStream stream(String region) {
    return streams.get(region);
  }

  /** Adds a change. */
  void add(WalEntry entry) throws IOException {
    long bytes = entry.heapBytes();
    if (memory + bytes > memoryMax && memory > 0) {
      spill();
    }
    memory += bytes;
    streams
        .computeIfAbsent(entry.region(), region -> new RegionStream(region, entry.table()))
        .add(entry);
  }

  private void spill() throws IOException {
    if (file.isEmpty()) {
      file = Optional.of(SpillFile.create(scratch, path + "-" + ++fileNumber));
      files.add(file.get());
    }
    for (RegionStream stream : streams.values()) {
      stream.spill(file.get());
    }
    memory = 0;
  }

  /** Ends the additions. After it, changes are taken. */
  void endAdding() throws IOException {
    if (file.isPresent()) {
      file.get().endWriting();
      file = Optional.empty();
    }
  }

  /** Ends the taking: removes the streams without changes. */
  void endTaking() {
    streams.values().removeIf(RegionStream::isEmpty);
    memory = streams.values().stream().mapToLong(RegionStream::memory).sum();
    files.removeIf(SpillFile::isClosed);
  }

  @Override
  public void close() throws IOException {
    for (SpillFile spilled : files) {
      spilled.close();
    }
  }
}
