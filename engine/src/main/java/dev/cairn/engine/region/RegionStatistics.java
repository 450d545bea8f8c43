package dev.cairn.engine.region;

import java.util.List;

/**
 * Sizes and counts of a region at one moment. Cheap to take: nothing is read from storage.
 *
 * @param stores the number of families
 * @param storeFiles the number of store files of all families
 * @param maxStoreFiles the number of store files of the family that has most
 * @param storeFileBytes the length of all store files, bytes
 * @param uncompressedBytes the length that their blocks have before compression, bytes
 * @param memStoreBytes what the memstores hold, in bytes of memory
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
}
