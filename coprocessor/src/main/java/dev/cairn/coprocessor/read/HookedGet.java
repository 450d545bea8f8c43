package dev.cairn.coprocessor.read;

import dev.cairn.coprocessor.convert.Cells;
import dev.cairn.coprocessor.environment.CallerOfThread;
import dev.cairn.coprocessor.environment.ListLoan;
import dev.cairn.coprocessor.facade.OperationHooks.Running;
import dev.cairn.coprocessor.facade.Reader;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.server.request.GetMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.regionserver.Region.Operation;

/**
 * A client's get between hooks, in the shape of a read of one row. If the client asks whether the
 * row exists, the answer is a row with any cell, or an empty one. One thread, once.
 */
final class HookedGet implements RegionRead {
  /** Stands for a row that exists because a hook says so. */
  private static final dev.cairn.engine.cell.Cell ANY =
      dev.cairn.engine.cell.Cell.put(new byte[1], new byte[1], new byte[0], 0, new byte[0]);

  private final Reader reader;
  private final ReadHooks hooks;
  private final GetMessage message;
  private final Optional<ScanObserver> observer;
  private ScanStatistics statistics = ScanStatistics.NONE;
  private boolean done;

  HookedGet(Reader reader, ReadHooks hooks, GetMessage message, Optional<ScanObserver> observer) {
    this.reader = reader;
    this.hooks = hooks;
    this.message = message;
    this.observer = observer;
  }

  @Override
  public ScanProgress next(CellBuffer out, ReadBudget budget) throws IOException {
    if (done) {
      return ScanProgress.END;
    }
    done = true;
    try (CallerOfThread caller = CallerOfThread.enter(hooks.table())) {
      return answer(out, budget);
    }
  }

  private ScanProgress answer(CellBuffer out, ReadBudget budget) throws IOException {
    int before = out.size();
    Get get = reader.queries().get(message);
    // As in HBase, gets of a batch, which name no region, are not asked about existence.
    boolean asks = message.existenceOnly() && !message.regionName().isEmpty();
    Boolean known = asks ? hooks.host().preExists(get) : null;
    if (known != null) {
      exists(out, before, known);
    } else {
      read(get, out, budget);
      if (asks) {
        exists(out, before, hooks.host().postExists(get, out.size() > before));
      }
    }
    return out.size() > before ? ScanProgress.ROW_DONE : ScanProgress.END;
  }

  private static void exists(CellBuffer out, int before, boolean exists) {
    if (!exists) {
      out.truncate(before);
    } else if (out.size() == before) {
      out.add(ANY);
    }
  }

  private void read(Get get, CellBuffer out, ReadBudget budget) throws IOException {
    List<Cell> cells = new ArrayList<>();
    reader.queries().complete(get);
    if (hooks.host().preGet(get, cells)) {
      add(cells, out);
      return;
    }
    ScanRequest.Builder request;
    try (Running opening = hooks.operations().begin(Operation.SCAN)) { // as in HBase, a scan
      request = reader.request(get).toBuilder();
    }
    observer.ifPresent(request::observer);
    if (cells.isEmpty() && !hooks.afterGet()) {
      row(request.build(), out, budget);
      return;
    }
    CellBuffer row = new CellBuffer();
    row(request.build(), row, budget);
    new ListLoan().cover(row.size(), row.byteSize());
    cells.addAll(Cells.views(row));
    hooks.host().postGet(get, cells);
    add(cells, out);
  }

  private void row(ScanRequest request, CellBuffer out, ReadBudget budget) throws IOException {
    try (Running row = hooks.operations().begin(Operation.SCAN)) {
      rowOfScan(request, out, budget);
    }
  }

  private void rowOfScan(ScanRequest request, CellBuffer out, ReadBudget budget)
      throws IOException {
    if (observer.isEmpty()) {
      reader.below().row(request, out, budget);
      return;
    }
    try (RegionRead read = reader.below().read(request, budget)) {
      read.next(out, budget);
      statistics = read.statistics();
    }
  }

  private static void add(List<Cell> cells, CellBuffer out) throws IOException {
    for (Cell cell : cells) {
      Cells.add(cell, out);
    }
  }

  @Override
  public ScanProgress peek(ReadBudget budget) {
    return done ? ScanProgress.END : ScanProgress.ROW_DONE;
  }

  @Override
  public long readPoint() {
    return 0;
  }

  @Override
  public ScanStatistics statistics() {
    return statistics;
  }

  @Override
  public void close() {}
}
