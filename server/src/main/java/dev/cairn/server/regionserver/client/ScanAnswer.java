package dev.cairn.server.regionserver.client;

import dev.cairn.server.rpc.wire.ResponseBody;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Cursor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.QueryMetrics;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MapReduceProtos.ScanMetrics;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.MessageLite;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

/**
 * The response to a call of a scan, which is assembled while the scan runs. Written by hand: the
 * message has two numbers for each row, and protobuf's own takes a list, a copy and some machine
 * code for each of them. One thread at a time.
 *
 * <p>Format: the message {@code ScanResponse} of HBase's {@code Client.proto}, byte for byte as
 * protobuf writes it, in the order of the fields' numbers.
 */
final class ScanAnswer implements ResponseBody {
  private static final int RESULTS_FIRST = 32;

  private final long scannerId;
  private final long leaseMillis;
  private final boolean stale;
  private final OptionalLong readPoint;
  private int count; // of the results whose cells lie beside the message
  private int[] cells = {};
  private boolean[] partial = {};
  private List<Result> results = List.of(); // those that lie in it
  private List<QueryMetrics> figuresByResult = List.of();
  private Boolean moreResults; // null if nothing is said about it, as in the three below
  private Boolean moreResultsInRegion;
  private Cursor cursor;
  private ScanMetrics figures;
  private boolean heartbeat;
  private int size = -1; // until it is asked for, when all is said

  /**
   * Creates an empty response.
   *
   * @param stale whether the cells are those of a replica
   * @param readPoint where the scan reads, if it has just been opened
   */
  ScanAnswer(long scannerId, long leaseMillis, boolean stale, OptionalLong readPoint) {
    this.scannerId = scannerId;
    this.leaseMillis = leaseMillis;
    this.stale = stale;
    this.readPoint = readPoint;
  }

  /** Adds a result whose cells lie beside the message. */
  void add(int resultCells, boolean isPartial) {
    if (count == cells.length) {
      int room = Math.max(RESULTS_FIRST, 2 * count);
      cells = Arrays.copyOf(cells, room);
      partial = Arrays.copyOf(partial, room);
    }
    cells[count] = resultCells;
    partial[count++] = isPartial;
  }

  /** Adds a result with its cells. */
  void add(Result result) {
    results = results.isEmpty() ? new ArrayList<>() : results;
    results.add(result);
  }

  /** Returns the number of results whose cells lie beside the message. */
  int counted() {
    return count;
  }

  /** Returns the number of cells of result {@code i} of those beside the message. */
  int cells(int i) {
    return cells[i];
  }

  /** Tells whether result {@code i} of those beside the message is a part of a row. */
  boolean isPartial(int i) {
    return partial[i];
  }

  /** Returns the results with their cells. */
  List<Result> results() {
    return results;
  }

  /** Removes all results. */
  void clearResults() {
    count = 0;
    results = List.of();
  }

  /** Takes back that the last result is a part of a row. */
  void completeLast() {
    if (count > 0) {
      partial[count - 1] = false;
    } else {
      int last = results.size() - 1;
      results.set(last, results.get(last).toBuilder().clearPartial().build());
    }
  }

  /** Adds the block bytes scanned for the last result. */
  void addFigures(long blockBytesScanned) {
    figuresByResult = figuresByResult.isEmpty() ? new ArrayList<>() : figuresByResult;
    figuresByResult.add(QueryMetrics.newBuilder().setBlockBytesScanned(blockBytesScanned).build());
  }

  /** Sets the metrics of the whole call. */
  void figures(ScanMetrics looked) {
    figures = looked;
  }

  /** Marks the response as sent because time ran out. */
  void heartbeat() {
    heartbeat = true;
  }

  /** Sets the position of the scan. */
  void cursor(byte[] row) {
    cursor = Cursor.newBuilder().setRow(UnsafeByteOperations.unsafeWrap(row)).build();
  }

  /** Sets whether the region, and whether the scan, may have more for the client. */
  void more(boolean inRegion, boolean inScan) {
    moreResultsInRegion = inRegion;
    moreResults = inScan;
  }

  /** Ends the scan for the client, even if the region has more. */
  void noMore() {
    moreResults = false;
  }

  /** Tells whether there may be more, in the region and for the client. */
  boolean hasMore() {
    return Boolean.TRUE.equals(moreResults) && Boolean.TRUE.equals(moreResultsInRegion);
  }

  @Override
  public int size() {
    if (size < 0) {
      size = measure();
    }
    return size;
  }

  private int measure() {
    long bytes = 3L * count; // two tags and a flag
    for (int i = 0; i < count; i++) {
      bytes += CodedOutputStream.computeUInt32SizeNoTag(cells[i]);
    }
    bytes += numberSize(scannerId) + numberSize(leaseMillis) + numberSize(0);
    bytes += moreResults != null ? numberSize(0) : 0;
    bytes += moreResultsInRegion != null ? numberSize(0) : 0;
    bytes += heartbeat ? numberSize(1) : 0;
    bytes += readPoint.isPresent() ? numberSize(readPoint.getAsLong()) : 0;
    bytes += figures != null ? messageSize(figures) : 0;
    bytes += cursor != null ? messageSize(cursor) : 0;
    for (Result result : results) {
      bytes += messageSize(result);
    }
    for (QueryMetrics figuresOfOne : figuresByResult) {
      bytes += messageSize(figuresOfOne);
    }
    return (int) Math.min(Integer.MAX_VALUE, bytes); // which is refused as too long
  }

  private static int numberSize(long value) {
    return 1 + CodedOutputStream.computeUInt64SizeNoTag(value);
  }

  private static long messageSize(MessageLite message) {
    return 1L + CodedOutputStream.computeMessageSizeNoTag(message);
  }

  @Override
  public void write(ByteBuf out) {
    byte[] bytes = new byte[size()];
    int end = write(bytes);
    if (end != bytes.length) {
      throw new IllegalStateException(end + " bytes of a message of " + bytes.length);
    }
    out.writeBytes(bytes);
  }

  private int write(byte[] to) {
    int at = 0;
    for (int i = 0; i < count; i++) {
      at = number(to, at, ScanResponse.CELLS_PER_RESULT_FIELD_NUMBER, cells[i]);
    }
    at = number(to, at, ScanResponse.SCANNER_ID_FIELD_NUMBER, scannerId);
    if (moreResults != null) {
      at = flag(to, at, ScanResponse.MORE_RESULTS_FIELD_NUMBER, moreResults);
    }
    at = number(to, at, ScanResponse.TTL_FIELD_NUMBER, leaseMillis);
    for (Result result : results) {
      at = message(to, at, ScanResponse.RESULTS_FIELD_NUMBER, result);
    }
    at = flag(to, at, ScanResponse.STALE_FIELD_NUMBER, stale);
    for (int i = 0; i < count; i++) {
      at = flag(to, at, ScanResponse.PARTIAL_FLAG_PER_RESULT_FIELD_NUMBER, partial[i]);
    }
    if (moreResultsInRegion != null) {
      at = flag(to, at, ScanResponse.MORE_RESULTS_IN_REGION_FIELD_NUMBER, moreResultsInRegion);
    }
    if (heartbeat) {
      at = flag(to, at, ScanResponse.HEARTBEAT_MESSAGE_FIELD_NUMBER, true);
    }
    if (figures != null) {
      at = message(to, at, ScanResponse.SCAN_METRICS_FIELD_NUMBER, figures);
    }
    if (readPoint.isPresent()) {
      at = number(to, at, ScanResponse.MVCC_READ_POINT_FIELD_NUMBER, readPoint.getAsLong());
    }
    if (cursor != null) {
      at = message(to, at, ScanResponse.CURSOR_FIELD_NUMBER, cursor);
    }
    for (QueryMetrics figuresOfOne : figuresByResult) {
      at = message(to, at, ScanResponse.QUERY_METRICS_FIELD_NUMBER, figuresOfOne);
    }
    return at;
  }

  private static int flag(byte[] to, int at, int field, boolean value) {
    to[at] = (byte) (field << 3 | WireFormat.WIRETYPE_VARINT);
    to[at + 1] = (byte) (value ? 1 : 0);
    return at + 2;
  }

  private static int number(byte[] to, int at, int field, long value) {
    to[at] = (byte) (field << 3 | WireFormat.WIRETYPE_VARINT);
    return varint(to, at + 1, value);
  }

  private static int message(byte[] to, int at, int field, MessageLite message) {
    to[at] = (byte) (field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED);
    int length = message.getSerializedSize();
    int start = varint(to, at + 1, length);
    try {
      message.writeTo(CodedOutputStream.newInstance(to, start, length));
    } catch (IOException e) {
      throw new UncheckedIOException("The length of a message is wrong", e);
    }
    return start + length;
  }

  private static int varint(byte[] to, int at, long value) {
    int next = at;
    long left = value;
    while ((left & ~0x7FL) != 0) {
      to[next++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    to[next++] = (byte) left;
    return next;
  }
}
