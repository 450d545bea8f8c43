package dev.cairn.engine.store;

import dev.cairn.engine.hfile.reader.HFileInfo;
import dev.cairn.engine.schema.FamilySchema;
import java.util.List;

/**
 * Figures from the metadata of a family's store files, summed over any number of stores. Reads
 * nothing from storage.
 *
 * @param family the family's name
 * @param stores the number of stores
 * @param files the number of their files
 * @param fileBytes the length of the files
 * @param dataBytes the length of their blocks before compression
 * @param cells the number of cells
 * @param rows the number of rows according to Bloom filters; 0 if there are none. A row counts once
 *     for each file that has it
 * @param rowCells the number of cells in the files that tell their rows
 * @param keyBytes the length of all keys: row, family, qualifier, and 12 bytes
 * @param valueBytes the length of all values
 * @param familyMarkers the number of markers that delete a row's family or a version of it
 * @param expiredBytes the length of the cells that have expired, if timestamps are spread evenly
 *     over each file
 * @param oldestPutMillis the lowest timestamp of a put; {@link Long#MAX_VALUE} if there is none
 * @param lastMajorMillis when the oldest file of a major compaction was made; 0 if there is none
 */
public record StoreFigures(
    String family,
    int stores,
    int files,
    long fileBytes,
    long dataBytes,
    long cells,
    long rows,
    long rowCells,
    long keyBytes,
    long valueBytes,
    long familyMarkers,
    long expiredBytes,
    long oldestPutMillis,
    long lastMajorMillis) {
  /** Returns the figures of a family without stores. */
  public static StoreFigures none(String family) {
    return new StoreFigures(family, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Long.MAX_VALUE, 0);
  }

  /**
   * Returns the figures of a store.
   *
   * @param nowMillis the time at which cells expire or not
   */
  static StoreFigures of(FamilySchema family, List<StoreFile> files, long nowMillis) {
    StoreFigures sum = none(family.nameAsString()).and(1);
    for (StoreFile file : files) {
      sum = sum.and(of(family, file, nowMillis));
    }
    return sum;
  }

  private static StoreFigures of(FamilySchema family, StoreFile file, long nowMillis) {
    HFileInfo info = file.reader().info();
    // Of a part of a file, about half belongs here.
    int parts = file.isReference() ? 2 : 1;
    long rows = file.reader().rowCount();
    return new StoreFigures(
        family.nameAsString(),
        0,
        1,
        file.length(),
        file.uncompressedLength(),
        info.entryCount() / parts,
        rows / parts,
        rows == 0 ? 0 : info.entryCount() / parts,
        info.averageKeyBytes() * info.entryCount() / parts,
        info.averageValueBytes() * info.entryCount() / parts,
        Math.max(0, info.deleteFamilyCount()) / parts,
        Math.round(file.length() * expiredShare(family, info, nowMillis)),
        info.earliestPut(),
        file.majorCompactionMillis());
  }

  private static double expiredShare(FamilySchema family, HFileInfo info, long nowMillis) {
    long first = info.earliestPut();
    long last = info.maxTimestamp();
    long ttl = family.timeToLiveMillis();
    if (ttl == FamilySchema.FOREVER_MILLIS || first > last || family.minVersions() > 0) {
      return 0;
    }
    double expired = (double) nowMillis - ttl - first;
    return Math.max(0, Math.min(1, expired / Math.max(1, (double) last - first)));
  }

  private StoreFigures and(int more) {
    return new StoreFigures(
        family,
        stores + more,
        files,
        fileBytes,
        dataBytes,
        cells,
        rows,
        rowCells,
        keyBytes,
        valueBytes,
        familyMarkers,
        expiredBytes,
        oldestPutMillis,
        lastMajorMillis);
  }

  /** Returns these figures and those of other stores of the same family. */
  public StoreFigures and(StoreFigures other) {
    return new StoreFigures(
        family,
        stores + other.stores,
        files + other.files,
        fileBytes + other.fileBytes,
        dataBytes + other.dataBytes,
        cells + other.cells,
        rows + other.rows,
        rowCells + other.rowCells,
        keyBytes + other.keyBytes,
        valueBytes + other.valueBytes,
        familyMarkers + other.familyMarkers,
        expiredBytes + other.expiredBytes,
        Math.min(oldestPutMillis, other.oldestPutMillis),
        lastMajorMillis == 0 || other.lastMajorMillis == 0
            ? Math.max(lastMajorMillis, other.lastMajorMillis)
            : Math.min(lastMajorMillis, other.lastMajorMillis));
  }

  /** Returns the cells of a row in a file on average; 0 if unknown. */
  public double cellsPerRow() {
    return rows == 0 ? 0 : (double) rowCells / rows;
  }
}
