package dev.cairn.engine.hfile.inspect;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.hfile.block.DataBlock;
import dev.cairn.engine.hfile.format.CellTracker;
import dev.cairn.engine.hfile.format.FileInfo;
import dev.cairn.engine.hfile.reader.HFileInfo;
import dev.cairn.engine.hfile.reader.HFileReader;
import java.io.IOException;

/** The cells of a file that {@link HFileVerifier} checks, summed up as they come. One thread. */
final class VerifiedCells {
  private final HFileReader reader;
  private final CellComparator order;
  private final Report report;
  private final Cell cell = new Cell();
  private final Cell previous = new Cell();
  private final boolean countsDeleteFamilies;
  private boolean begun;
  private boolean complete = true;
  private long count;
  private long deleteFamilyCount;
  private long minTimestamp = Long.MAX_VALUE;
  private long maxTimestamp = Long.MIN_VALUE;
  private long maxSequence;

  VerifiedCells(HFileReader reader, Report report) {
    this.reader = reader;
    this.order = reader.comparator();
    this.report = report;
    this.countsDeleteFamilies =
        reader.info().fileInfo().containsKey(Bytes.utf8(FileInfo.DELETE_FAMILY_COUNT));
  }

  /** Takes note that cells are missing, so that the figures cannot be right. */
  void skip() {
    complete = false;
  }

  /**
   * Checks a data block.
   *
   * @param key the key of the entry that leads to it
   */
  void block(DataBlock block, long offset, Cell key) throws IOException {
    if (begun && order.compareKeys(previous, key) > 0) {
      report.add(
          offset, "the index's key " + key + " lies before the cell " + previous + " before it");
    }
    block.get(0, cell);
    if (order.compareKeys(key, cell) > 0) {
      report.add(offset, "the index's key " + key + " lies behind the block's first cell " + cell);
    }
    for (int i = 0; i < block.count(); i++) {
      block.get(i, cell);
      if (begun && order.compare(previous, cell) > 0) {
        report.add(offset, "the cell " + cell + " follows " + previous + ", which lies behind it");
      }
      if (begun && !previous.sameFamily(cell)) {
        report.add(offset, "the cell " + cell + " is of another family than " + previous);
      }
      bloom(offset);
      sumUp();
      previous.set(cell); // blocks are never written over
      begun = true;
    }
  }

  private void bloom(long offset) throws IOException {
    if (!begun || !previous.sameRow(cell)) {
      if (!reader.mayContainRow(cell.bytes(), cell.rowOffset(), cell.rowLength())) {
        report.add(offset, "the Bloom filter says that there is no row of the cell " + cell);
      }
    }
    if (!begun || !previous.sameColumn(cell)) {
      if (!reader.mayContainColumn(cell)) {
        report.add(offset, "the Bloom filter says that there is no column of the cell " + cell);
      }
    }
    if (countsDeleteFamilies
        && CellTracker.isDeleteFamily(cell.typeCode())
        && !reader.mayContainDeleteFamily(cell.bytes(), cell.rowOffset(), cell.rowLength())) {
      report.add(offset, "the Bloom filter for deleted families does not know the cell " + cell);
    }
  }

  private void sumUp() {
    count++;
    maxTimestamp = Math.max(maxTimestamp, cell.timestamp());
    minTimestamp = Math.min(minTimestamp, cell.timestamp());
    maxSequence = Math.max(maxSequence, cell.sequence());
    int type = cell.typeCode();
    if (CellTracker.isDeleteFamily(type)) {
      deleteFamilyCount++;
    }
    if (CellType.hidesOlder(type)) {
      minTimestamp = Math.min(minTimestamp, 0);
    }
  }

  /**
   * Compares the sums with those in the file's metadata.
   *
   * @param offset where the trailer begins
   */
  void checkFigures(long offset) {
    if (!complete) {
      return;
    }
    HFileInfo info = reader.info();
    if (info.entryCount() != count) {
      report.add(offset, "the trailer counts " + info.entryCount() + " cells, there are " + count);
    }
    if (count == 0) {
      return;
    }
    if (countsDeleteFamilies
        && info.deleteFamilyCount() >= 0
        && info.deleteFamilyCount() != deleteFamilyCount) {
      report.add(
          offset,
          "the file info counts "
              + info.deleteFamilyCount()
              + " markers that delete families, there are "
              + deleteFamilyCount);
    }
    if (info.minTimestamp() > minTimestamp || info.maxTimestamp() < maxTimestamp) {
      report.add(
          offset,
          "the file info says timestamps %d to %d, there are %d to %d"
              .formatted(info.minTimestamp(), info.maxTimestamp(), minTimestamp, maxTimestamp));
    }
    if (info.maxMvcc() < maxSequence) {
      report.add(
          offset,
          "the file info says sequence numbers up to %d, there are some up to %d"
              .formatted(info.maxMvcc(), maxSequence));
    }
    if (info.lastKey().isPresent() && order.compareKeys(info.lastKey().get(), previous) != 0) {
      report.add(
          offset,
          "the file info's last key is " + info.lastKey().get() + ", the last cell " + previous);
    }
  }

  /** Takes a finding. */
  interface Report {
    void add(long offset, String what);
  }
}
