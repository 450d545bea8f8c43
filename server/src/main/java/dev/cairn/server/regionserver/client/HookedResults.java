package dev.cairn.server.regionserver.client;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.filter.CellView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/**
 * The results of a call of a scan as hooks see them: taken out of a response, and put in again. One
 * thread.
 */
final class HookedResults {
  /** The approximate bytes of a cell's object and of its place in a list, without its array. */
  private static final int CELL_OBJECT_BYTES = 64;

  private final ResponseCells cells;
  private final ScanAnswer response;

  HookedResults(ResponseCells cells, ScanAnswer response) {
    this.cells = cells;
    this.response = response;
  }

  /** Adds a result after those of the response. */
  void add(Result result) {
    int mark = cells.mark();
    if (!result.isEmpty()) {
      for (org.apache.hadoop.hbase.Cell cell : result.rawCells()) {
        cells.buffer().add(CellView.toEngine(cell));
      }
    }
    boolean partial = result.mayHaveMoreCellsInRow();
    if (cells.beside()) {
      cells.account(cells.mark());
      response.add(cells.mark() - mark, partial);
    } else {
      response.add(cells.since(mark, partial));
    }
  }

  /** Returns the approximate bytes of what {@link #take} returns. */
  long bytes() {
    return cells.buffer().byteSize() + (long) cells.buffer().size() * CELL_OBJECT_BYTES;
  }

  /** Removes all results from the response, and returns them with cells of their own. */
  List<Result> take() throws IOException {
    List<Result> taken = new ArrayList<>();
    if (cells.beside()) {
      int at = 0;
      for (int i = 0; i < response.counted(); i++) {
        int end = at + response.cells(i);
        taken.add(result(at, end, response.isPartial(i)));
        at = end;
      }
      cells.restart();
    } else {
      for (ClientProtos.Result result : response.results()) {
        taken.add(ProtobufUtil.toResult(result));
      }
    }
    response.clearResults();
    return taken;
  }

  private Result result(int from, int to, boolean partial) {
    CellBuffer all = cells.buffer();
    List<org.apache.hadoop.hbase.Cell> own = new ArrayList<>(to - from);
    Cell view = new Cell();
    for (int i = from; i < to; i++) {
      byte[] copy = new byte[all.length(i)];
      all.get(i, view, 0).writeTo(copy, 0, true);
      own.add(new KeyValue(copy, 0, copy.length));
    }
    return Result.create(own, null, false, partial);
  }
}
