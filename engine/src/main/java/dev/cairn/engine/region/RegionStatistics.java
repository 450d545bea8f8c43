package dev.cairn.engine.region;

import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFile;
import java.util.ArrayList;
import java.util.List;

/**
 * Sizes and counts of a region at one moment. Cheap to take: nothing is read from storage.
 *
 * @param stores the number of families
 * @param storeFiles the number of store files of all families
 * @param maxStoreFiles the number of store files of the family that has most
 * @param storeFileBytes the length of all store files, bytes
 * @param uncompressedBytes the length that their blocks have before compression, bytes
 * @param memStoreBytes the memory of the memstores, bytes
 * @param flushedBytesInUse the bytes of memstores that flushes have written to files but running
 *     reads still use
 * @param openSequence the sequence number at which the region was opened
 * @param flushedSequence the highest sequence number up to which everything is in store files
 * @param families the same number for each family alone
 * @param lastFlushMillis when the family was flushed whose last flush is longest ago, milliseconds
 *     since 1970; the opening, if it never was
 * @param lastMajorCompactionMillis when the oldest store file that a major compaction made was
 *     made, 0 if there is none
 */
public record RegionStatistics(
    int stores,
    int storeFiles,
    int maxStoreFiles,
    long storeFileBytes,
    long uncompressedBytes,
    long memStoreBytes,
    long flushedBytesInUse,
    long openSequence,
    long flushedSequence,
    List<FamilyFlushed> families,
    long lastFlushMillis,
    long lastMajorCompactionMillis) {
  /**
   * Up to where one family is in store files.
   *
   * @param family its name
   * @param flushedSequence no write of it up to this number is in memory alone
   */
  public record FamilyFlushed(byte[] family, long flushedSequence) {}

  /**
   * Adds up the figures of a region's stores.
   *
   * @param flushedSequence up to where the region's flushes have come
   * @param complete the sequence number up to which all writes are in the memstores
   */
  static RegionStatistics of(
      RegionStores stores, long openSequence, long flushedSequence, long complete) {
    int files = 0;
    int mostFiles = 0;
    long bytes = 0;
    long uncompressed = 0;
    long oldestMajor = Long.MAX_VALUE;
    long oldestFlush = Long.MAX_VALUE;
    List<FamilyFlushed> families = new ArrayList<>(stores.all().size());
    for (Store store : stores.all()) {
      families.add(flushed(store, flushedSequence, complete));
      oldestFlush = Math.min(oldestFlush, store.lastFlushMillis());
      List<StoreFile> own = store.view().files();
      files += own.size();
      mostFiles = Math.max(mostFiles, own.size());
      for (StoreFile file : own) {
        bytes += file.length();
        uncompressed += file.uncompressedLength();
        if (file.majorCompactionMillis() > 0) {
          oldestMajor = Math.min(oldestMajor, file.majorCompactionMillis());
        }
      }
    }
    return new RegionStatistics(
        stores.all().size(),
        files,
        mostFiles,
        bytes,
        uncompressed,
        stores.memStoreBytes(),
        stores.flushedBytesInUse(),
        openSequence,
        flushedSequence,
        List.copyOf(families),
        oldestFlush == Long.MAX_VALUE ? 0 : oldestFlush,
        oldestMajor == Long.MAX_VALUE ? 0 : oldestMajor);
  }

  private static FamilyFlushed flushed(Store store, long ofRegion, long complete) {
    long oldest = store.oldestUnflushedSequence();
    // A write that is not in its memstore yet, while later ones are, is not complete either.
    return new FamilyFlushed(
        store.family().name(),
        oldest == Long.MAX_VALUE
            ? Math.max(ofRegion, store.flushedSequence())
            : Math.min(oldest - 1, Math.max(ofRegion, complete)));
  }
}
