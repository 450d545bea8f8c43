package dev.cairn.server.regionserver.client;

import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.scan.SourceMetrics.Use;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameInt64Pair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MapReduceProtos.ScanMetrics;

/**
 * Writes the client's scan metrics for one call of a scan: HBase's own, with the names of {@link
 * ServerSideScanMetrics} and their meaning there, and ours, whose names begin with {@code CAIRN_}.
 * Clients add up the metrics that they know by name, call by call, and skip the others.
 */
final class ScanMetricsWriter {
  private static final String OURS = "CAIRN_";

  private final ScanMetrics.Builder metrics = ScanMetrics.newBuilder();

  private ScanMetricsWriter() {}

  /**
   * Returns the message.
   *
   * @param looked the counts of the cells and rows that the call looked at
   * @param queueNanos how long the call waited for its turn
   * @param nanos how long it has taken since then
   */
  static ScanMetrics write(ScanStatistics looked, long queueNanos, long nanos) {
    ScanMetricsWriter writer = new ScanMetricsWriter();
    writer.addHBases(looked, queueNanos, nanos);
    writer.addOurs(looked);
    return writer.metrics.build();
  }

  private void addHBases(ScanStatistics looked, long queueNanos, long nanos) {
    ReadMetrics reads = looked.reads();
    add(ServerSideScanMetrics.COUNT_OF_ROWS_SCANNED_KEY_METRIC_NAME, looked.rowsScanned());
    add(ServerSideScanMetrics.COUNT_OF_ROWS_FILTERED_KEY_METRIC_NAME, looked.rowsFiltered());
    add(ServerSideScanMetrics.BLOCK_BYTES_SCANNED_KEY_METRIC_NAME, reads.blockBytesLookedAt());
    add(ServerSideScanMetrics.FS_READ_TIME_METRIC_NAME, millis(reads.diskNanos()));
    add(ServerSideScanMetrics.BYTES_READ_FROM_FS_METRIC_NAME, reads.diskBytes());
    add(ServerSideScanMetrics.BYTES_READ_FROM_BLOCK_CACHE_METRIC_NAME, reads.cachedBytes());
    add(ServerSideScanMetrics.BYTES_READ_FROM_MEMSTORE_METRIC_NAME, reads.memoryBytesLookedAt());
    add(ServerSideScanMetrics.BLOCK_READ_OPS_COUNT_METRIC_NAME, reads.diskBlocks());
    add(ServerSideScanMetrics.RPC_SCAN_PROCESSING_TIME_METRIC_NAME, millis(nanos));
    add(ServerSideScanMetrics.RPC_SCAN_QUEUE_WAIT_TIME_METRIC_NAME, millis(queueNanos));
  }

  private void addOurs(ScanStatistics looked) {
    add(OURS + "BLOCKS_FROM_CACHE", looked.reads().cachedBlocks());
    add(OURS + "SEEKS", looked.seeks());
    for (Use use : Use.values()) {
      addIfAny(OURS + "FILES_" + use, looked.files(use));
    }
    add(OURS + "CELLS_LOOKED_AT", looked.cells());
    for (CellOutcome fate : CellOutcome.values()) {
      addIfAny(OURS + "CELLS_" + fate, looked.cells(fate));
    }
  }

  private void addIfAny(String name, long value) {
    if (value != 0) {
      add(name, value);
    }
  }

  private void add(String name, long value) {
    metrics.addMetrics(NameInt64Pair.newBuilder().setName(name).setValue(value));
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(Math.max(0, nanos));
  }
}
