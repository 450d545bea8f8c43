package dev.cairn.coprocessor.rewrite;

import dev.cairn.coprocessor.measure.ClassMeter;
import dev.cairn.coprocessor.measure.HookCall;
import dev.cairn.coprocessor.measure.RegionMeter;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.retention.RetainedCells;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.filter.CellView;
import dev.cairn.server.regionserver.hooked.HookTimes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.BatchLimits;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cells of a scanner that a hook returns, for the engine to write. Refuses cells that do not
 * belong into the file. For one thread.
 */
@SuppressWarnings("deprecation") // HBase still has sequence numbers there
final class CellsOfRows implements RetainedCells {
  private static final Logger LOG = LoggerFactory.getLogger(CellsOfRows.class);

  /** The default of HBase's {@code hbase.hstore.compaction.kv.max}. */
  private static final int BATCH_CELLS = 10;

  private final InternalScanner scanner;
  private final RetainedCells below;
  private final RegionMeter meter;
  private final ClassMeter ofScanner;
  private final RegionInfo region;
  private final byte[] family;
  private final ScannerContext limits = BatchLimits.of(BATCH_CELLS);
  private final List<org.apache.hadoop.hbase.Cell> batch = new ArrayList<>();
  private final Cell cell = new Cell();
  private org.apache.hadoop.hbase.Cell last;
  private int next;
  private boolean more = true;

  /**
   * Creates them.
   *
   * @param scanner a hook's
   * @param below closed with it
   * @param meter measures the scanner
   */
  CellsOfRows(
      InternalScanner scanner,
      RetainedCells below,
      RegionInfo region,
      byte[] family,
      RegionMeter meter) {
    this.scanner = scanner;
    this.meter = meter;
    this.ofScanner = meter.ofClass(scanner.getClass().getName());
    this.below = below;
    this.region = region;
    this.family = family;
  }

  @Override
  public boolean next() throws IOException {
    while (next == batch.size()) {
      if (!more) {
        return false;
      }
      batch.clear();
      next = 0;
      more = nextBatch();
    }
    org.apache.hadoop.hbase.Cell taken = batch.get(next++);
    check(taken);
    show(taken);
    last = taken;
    return true;
  }

  private boolean nextBatch() throws IOException {
    try (HookCall call = meter.begin(HookTimes.REWRITE_SCANNER, ofScanner)) {
      return call.measured(() -> scanner.next(batch, limits));
    }
  }

  private void show(org.apache.hadoop.hbase.Cell taken) throws IOException {
    long sequence = taken.getSequenceId();
    if (taken.getClass() == KeyValue.class) {
      KeyValue same = (KeyValue) taken;
      cell.set(same.getBuffer(), same.getOffset(), same.getLength(), sequence);
      return;
    }
    try {
      cell.set(CellView.toEngine(taken), sequence);
    } catch (IllegalArgumentException e) {
      throw refused("it is too long: " + e.getMessage(), taken);
    }
  }

  private void check(org.apache.hadoop.hbase.Cell taken) throws IOException {
    if (!CellUtil.matchingFamily(taken, family)) {
      throw refused("it is not of the family", taken);
    }
    if (last != null && CellComparator.getInstance().compare(last, taken, true) > 0) {
      throw refused("it sorts before " + last, taken);
    }
    if ((last == null || !CellUtil.matchingRows(last, taken))
        && !region.contains(CellUtil.cloneRow(taken))) {
      throw refused("its row is not in the region", taken);
    }
  }

  private IOException refused(String reason, org.apache.hadoop.hbase.Cell taken) {
    return new IOException(
        "A coprocessor of "
            + region.regionNameAsString()
            + " returns the cell "
            + taken
            + " to a flush or compaction, but "
            + reason);
  }

  @Override
  public Cell cell() {
    return cell;
  }

  @Override
  public void close() {
    try {
      scanner.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("A scanner of a coprocessor of {} cannot be closed", region, e);
    } finally {
      below.close();
    }
  }
}
