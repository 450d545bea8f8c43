package dev.cairn.server.regionserver.client;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.rpc.RpcKeys;
import dev.cairn.server.rpc.service.CallMemory;
import java.util.List;
import org.apache.hadoop.hbase.client.RowTooBigException;

/**
 * The limits of one call.
 *
 * @param cellSize maximum size of a written cell
 * @param maxResultBytes maximum bytes of cells in one response, which ends there
 * @param maxRowBytes maximum bytes of cells in a row that is read as a whole
 * @param rowsWarning number of actions in one call above which the log warns
 * @param rejectsManyRows true if calls with more actions than {@code rowsWarning} are refused
 * @param scannerLeaseMillis time for which a scanner is kept without a call from its client
 * @param rpcTimeoutMillis timeout of calls that state none
 */
public record CallLimits(
    CellSizeLimit cellSize,
    long maxResultBytes,
    long maxRowBytes,
    long rowsWarning,
    boolean rejectsManyRows,
    long scannerLeaseMillis,
    long rpcTimeoutMillis) {
  /** The greatest cell. */
  public static final ConfigKey<Long> MAX_CELL_BYTES =
      ConfigKey.number(
          "hbase.server.keyvalue.maxsize",
          10L * 1024 * 1024,
          0,
          Integer.MAX_VALUE,
          "Maximum size of a cell in bytes; mutations with a larger one are refused. 0 means"
              + " as large as the heap allows. The effective limit, also that of a table, is at"
              + " most about a tenth of the memory for calls.");

  /** The most that one response holds. */
  public static final ConfigKey<Long> MAX_RESULT_BYTES =
      ConfigKey.number(
              "hbase.server.scanner.max.result.size",
              100L * 1024 * 1024,
              1,
              1L << 30,
              "Size of a scan's response in bytes after which it ends, whatever the client"
                  + " asks for. The effective limit is at most about a tenth of the memory for"
                  + " calls.")
          .atRunTime();

  /** The number of actions above which the log warns. */
  public static final ConfigKey<Long> ROWS_WARNING =
      ConfigKey.number(
              "hbase.rpc.rows.warning.threshold",
              5000,
              1,
              Integer.MAX_VALUE,
              "Number of actions of a batch above which the log warns of it.")
          .atRunTime();

  /** The switch for refusing large batches. */
  public static final ConfigKey<Boolean> REJECT_MANY_ROWS =
      ConfigKey.flag(
              "hbase.rpc.rows.size.threshold.reject",
              false,
              "Whether the server refuses batches with more actions than"
                  + " hbase.rpc.rows.warning.threshold.")
          .atRunTime();

  /** The lease of scanners. */
  public static final ConfigKey<Long> SCANNER_LEASE_MILLIS =
      ConfigKey.number(
          "hbase.client.scanner.timeout.period",
          60_000,
          1,
          Integer.MAX_VALUE,
          "Time after which the server closes a scanner without a call from its client, in"
              + " milliseconds.");

  /** The timeout of callers that state none. */
  public static final ConfigKey<Long> RPC_TIMEOUT_MILLIS =
      ConfigKey.number(
          "hbase.rpc.timeout",
          60_000,
          1,
          Integer.MAX_VALUE,
          "Timeout of calls that state none, in milliseconds.");

  /** A cell is at most this part of the largest loan: 5 MB with a heap of 256 MB. */
  private static final int CELL_PARTS = 8;

  /**
   * Returns the limits in {@code config}.
   *
   * @param memory the memory for calls; no limit exceeds the largest response that fits in it
   */
  public static CallLimits of(SiteConfig config, MemoryAccount memory) {
    long largestResponse = CallMemory.largestResponse(memory);
    return new CallLimits(
        cellSize(config, memory),
        Math.min(config.get(MAX_RESULT_BYTES), Math.max(1, largestResponse / 2)),
        Math.min(config.get(RpcKeys.MAX_ROW_SIZE), largestResponse),
        config.get(ROWS_WARNING),
        config.get(REJECT_MANY_ROWS),
        config.get(SCANNER_LEASE_MILLIS),
        config.get(RPC_TIMEOUT_MILLIS));
  }

  /**
   * Returns the maximum size of a written cell. A heap has to hold many such cells at once, in
   * requests, memstores and blocks, and G1 needs contiguous room for each.
   */
  public static CellSizeLimit cellSize(SiteConfig config, MemoryAccount memory) {
    return new CellSizeLimit(config.get(MAX_CELL_BYTES), memory.largestLoan() / CELL_PARTS);
  }

  /**
   * Checks the size of a row that is read as a whole.
   *
   * @throws RowTooBigException if it is larger than allowed
   */
  void checkRow(long bytes) throws RowTooBigException {
    if (bytes > maxRowBytes) {
      throw new RowTooBigException(
          "The row has more than "
              + maxRowBytes
              + " bytes of cells, the limit for reading a row at once ("
              + RpcKeys.MAX_ROW_SIZE.name()
              + ", further limited by the heap). Read it in parts: use a scan with a batch or"
              + " with partial results, a filter, or fewer columns or versions");
    }
  }

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        MAX_CELL_BYTES,
        MAX_RESULT_BYTES,
        ROWS_WARNING,
        REJECT_MANY_ROWS,
        SCANNER_LEASE_MILLIS,
        RPC_TIMEOUT_MILLIS);
  }
}
