package dev.cairn.server.regionserver.client;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.rpc.service.RpcCall;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Collects the cells of one response. The engine appends to {@link #buffer()}; the cells since a
 * mark become a {@link Result}, which counts the cells if the caller takes a cell block and holds
 * them if not. One thread at a time.
 */
final class ResponseCells {
  private static final int EXPECTED_BYTES_MAX = 128 * 1024;

  /** The memory of a cell inside the message besides its content: an object with four fields. */
  private static final long CELL_OBJECT_BYTES = 240;

  /** The results of few cells that lie beside the message: most rows have them. */
  static final List<Result> COUNTED =
      IntStream.range(0, 33).mapToObj(ResponseCells::counted).toList();

  private final RpcCall call;
  private final boolean beside;
  private final CellBuffer buffer;
  private long bytes;
  private int accounted;

  ResponseCells(RpcCall call) {
    this(call, 0);
  }

  /** Creates a collection for a response that is likely to take so many bytes. */
  ResponseCells(RpcCall call, int bytes) {
    this(call, bytes, call.acceptsCellBlock());
  }

  private ResponseCells(RpcCall call, int bytes, boolean beside) {
    this.call = call;
    this.beside = beside;
    this.buffer = call.responseBuffer(bytes);
  }

  /**
   * Creates a collection for the response to a single {@code Get}. Clients before 1.3 read its
   * cells only inside the message, even if they read cell blocks in other responses.
   */
  static ResponseCells ofGet(RpcCall call, int bytes) {
    return new ResponseCells(
        call, bytes, call.acceptsCellBlock() && call.clientVersion().isAtLeast(1, 3));
  }

  /**
   * Makes room, but not for more than {@link #EXPECTED_BYTES_MAX}, if what there is now is likely
   * to be followed by as much again, {@code times} over. A buffer that grows by doubling instead
   * clears and copies several times what the response takes.
   */
  void expect(int times) {
    if (buffer.isEmpty()) {
      return;
    }
    long share = Math.min(times + 1L, EXPECTED_BYTES_MAX / buffer.byteSize());
    if (share > 1) {
      long more = share - 1;
      buffer.expect((int) (buffer.byteSize() * more), (int) (buffer.size() * more));
    }
  }

  /** Returns where the engine appends cells. */
  CellBuffer buffer() {
    return buffer;
  }

  /** Returns the present end of the buffer, for {@link #since}. */
  int mark() {
    return buffer.size();
  }

  /** Returns the bytes of all cells that results were made of. */
  long byteSize() {
    return bytes;
  }

  /** Tells whether results only count their cells. */
  boolean beside() {
    return beside;
  }

  /** Makes a result of the cells that came since {@code mark}. */
  Result since(int mark) {
    return since(mark, false);
  }

  /** As {@link #since(int)}, for a row that may continue. */
  Result since(int mark, boolean partial) {
    int count = buffer.size() - mark;
    if (count == 0 && !partial) {
      return Result.getDefaultInstance(); // the result of each put of a batch
    }
    account(buffer.size());
    if (beside && !partial) {
      return count < COUNTED.size() ? COUNTED.get(count) : counted(count);
    }
    return uncommon(mark, partial);
  }

  /** Makes a result of a part of a row, or one that holds its cells. */
  private Result uncommon(int mark, boolean partial) {
    int count = buffer.size() - mark;
    Result.Builder result = Result.newBuilder();
    if (partial) {
      result.setPartial(true);
    }
    if (beside) {
      return count == 0 ? result.build() : result.setAssociatedCellCount(count).build();
    }
    call.memory()
        .borrowForMessage(
            bytesBefore(buffer.size()) - bytesBefore(mark) + count * CELL_OBJECT_BYTES);
    Cell view = new Cell();
    for (int i = mark; i < buffer.size(); i++) {
      result.addCell(inMessage(buffer.get(i, view, 0)));
    }
    buffer.truncate(mark);
    accounted = buffer.byteSize();
    return result.build();
  }

  private static Result counted(int count) {
    return Result.newBuilder().setAssociatedCellCount(count).build();
  }

  /**
   * Adds the cells before {@code end} to the bytes, for results that are only counted by the
   * caller.
   */
  void account(int end) {
    int before = bytesBefore(end);
    bytes += before - accounted;
    accounted = before;
  }

  /** Returns how many bytes the cells before {@code end} take in the buffer. */
  int bytesBefore(int end) {
    return buffer.byteSize(end);
  }

  /** Removes all cells, also from the bytes. */
  void restart() {
    buffer.truncate(0);
    bytes = 0;
    accounted = 0;
  }

  /** Hands the cells to the call; to be called once, when all results are made. */
  void send() {
    if (beside && !buffer.isEmpty()) {
      call.setResponseCells(buffer);
    }
  }

  private CellProtos.Cell inMessage(Cell cell) {
    byte[] array = cell.bytes();
    CellProtos.Cell.Builder message =
        CellProtos.Cell.newBuilder()
            .setRow(ByteString.copyFrom(array, cell.rowOffset(), cell.rowLength()))
            .setFamily(ByteString.copyFrom(array, cell.familyOffset(), cell.familyLength()))
            .setQualifier(
                ByteString.copyFrom(array, cell.qualifierOffset(), cell.qualifierLength()))
            .setTimestamp(cell.timestamp())
            .setCellType(CellProtos.CellType.forNumber(cell.typeCode()))
            .setValue(ByteString.copyFrom(array, cell.valueOffset(), cell.valueLength()));
    if (cell.tagsLength() > 0 && call.acceptsTags()) {
      message.setTags(ByteString.copyFrom(array, cell.tagsOffset(), cell.tagsLength()));
    }
    return message.build();
  }
}
