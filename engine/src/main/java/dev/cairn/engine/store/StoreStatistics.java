package dev.cairn.engine.store;

import dev.cairn.engine.memstore.MemStoreSegment;
import java.util.Collection;
import java.util.List;

/**
 * Sizes and counts of one store at one moment. Taking them reads nothing from storage.
 *
 * @param active the segment that takes writes
 * @param frozen the segments that a flush writes, or is to write
 * @param oldestUnflushedMillis the time of the oldest write that is in no file, milliseconds since
 *     1970; {@link Long#MAX_VALUE} if there is none
 * @param uncompressedBytes the length that the files' blocks have before compression, bytes
 * @param files the ages of the files, oldest file first
 */
public record StoreStatistics(
    Memory active,
    Memory frozen,
    long oldestUnflushedMillis,
    long uncompressedBytes,
    List<FileAge> files) {
  /** The statistics of a store without cells. */
  public static final StoreStatistics EMPTY =
      new StoreStatistics(Memory.NONE, Memory.NONE, Long.MAX_VALUE, 0, List.of());

  /**
   * The size of segments of a memstore.
   *
   * @param dataBytes the length of all cells, bytes
   * @param heapBytes the heap that they take with all overhead, bytes
   * @param cells the number of cells
   */
  public record Memory(long dataBytes, long heapBytes, int cells) {
    static final Memory NONE = new Memory(0, 0, 0);

    static Memory of(Collection<MemStoreSegment> segments) {
      long data = 0;
      long heap = 0;
      int cells = 0;
      for (MemStoreSegment segment : segments) {
        data += segment.dataSize();
        heap += segment.byteSize();
        cells += segment.cellCount();
      }
      return new Memory(data, heap, cells);
    }
  }

  /**
   * The age of a store file.
   *
   * @param createdMillis the time of its creation, milliseconds since 1970; 0 if the file does not
   *     record it
   * @param isReference whether it refers to a part of another region's file; {@code createdMillis}
   *     is then that of the other file
   */
  public record FileAge(long createdMillis, boolean isReference) {}

  /** Returns the statistics of a store. */
  static StoreStatistics of(Store store) {
    StoreView view = store.view();
    return new StoreStatistics(
        Memory.of(List.of(view.active())),
        Memory.of(view.frozen()),
        store.oldestUnflushedMillis(),
        view.files().stream().mapToLong(StoreFile::uncompressedLength).sum(),
        view.files().stream()
            .map(file -> new FileAge(file.createdMillis(), file.isReference()))
            .toList());
  }
}
