package dev.cairn.server.digest;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanStatistics;
import java.io.IOException;

/**
 * The digests of a read's rows, in the shape of a scan. Each row of the answer has one cell with a
 * digest, under the last row that the digest covers. So a client that lost a response continues
 * after that row. A digest covers fewer rows than asked for if time runs out. One thread at a time.
 */
public final class DigestedScan implements RegionRead {
  private static final byte[] FAMILY = Bytes.utf8(DigestOptions.FAMILY);

  /** The bytes of rows that the engine returns at a time. */
  private static final int BYTES_AT_ONCE = 64 << 10;

  /** The buffer is dropped if a cell made it larger than this. */
  private static final int BUFFER_BYTES_MAX = 1 << 20;

  private final RegionRead rows;
  private final DigestOptions options;
  private final RowDigester digester;
  private final RowSizes sizes = new RowSizes();
  private final Cell view = new Cell();
  private CellBuffer buffer = new CellBuffer();
  private boolean ended;

  /** Creates a scan, which owns {@code rows} from now on. */
  public DigestedScan(RegionRead rows, DigestOptions options) {
    this.rows = rows;
    this.options = options;
    this.digester = new RowDigester(options);
  }

  @Override
  public ScanProgress next(CellBuffer out, ReadBudget budget) throws IOException {
    while (!ended && digester.rows() < options.rows()) {
      switch (read(budget)) {
        case WOULD_WAIT -> {
          return ScanProgress.WOULD_WAIT;
        }
        case TIME_IN_ROW, LIMIT_BETWEEN_ROWS -> {
          return digester.rows() > 0 ? digest(out) : ScanProgress.LIMIT_BETWEEN_ROWS;
        }
        case END -> {
          digester.endRow();
          ended = true;
        }
        default -> {
          // The read continues.
        }
      }
    }
    return digester.rows() > 0 ? digest(out) : ScanProgress.END;
  }

  private ScanProgress read(ReadBudget budget) throws IOException {
    if (buffer.capacity() > BUFFER_BYTES_MAX) {
      buffer = new CellBuffer();
    }
    buffer.clear();
    sizes.clear();
    ScanProgress progress =
        rows.nextRows(
            buffer,
            sizes,
            new ReadBudget(
                (int) (options.rows() - digester.rows()),
                -1,
                BYTES_AT_ONCE,
                budget.deadlineNanos(),
                true,
                budget.waiting()));
    int at = 0;
    for (int row = 0; row < sizes.size(); row++) {
      at = take(at, at + sizes.cells(row));
      digester.endRow();
    }
    take(at, buffer.size());
    return progress;
  }

  private int take(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      digester.cell(buffer.get(i, view, 0));
    }
    return to;
  }

  private ScanProgress digest(CellBuffer out) {
    byte[] row = digester.lastRow();
    out.add(Cell.put(row, FAMILY, Bytes.EMPTY, 0, digester.take().toBytes()));
    return ScanProgress.ROW_DONE;
  }

  @Override
  public ScanProgress peek(ReadBudget budget) throws IOException {
    return ended ? ScanProgress.END : rows.peek(budget);
  }

  @Override
  public boolean hold() {
    return rows.hold();
  }

  @Override
  public void suspend() {
    rows.suspend();
  }

  @Override
  public void stop() {
    rows.stop();
  }

  @Override
  public long readPoint() {
    return rows.readPoint();
  }

  @Override
  public ScanStatistics statistics() {
    return rows.statistics();
  }

  @Override
  public void close() {
    rows.close();
  }
}
