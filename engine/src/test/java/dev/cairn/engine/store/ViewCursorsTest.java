package dev.cairn.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.FileAccess;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.SourceMetrics;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.scan.ValueSource;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A read opens no file that has nothing to say to it, and begins in it where it has to. */
class ViewCursorsTest {
  private static final byte[] ROW = Bytes.utf8("row");
  private static final byte[] FAMILY = Bytes.utf8("f");
  private static final int COLUMNS = 500;

  private final BlockCache cache = new BlockCache(1 << 20, Runnable::run);
  private Store store;
  private long sequence;

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  @Test
  void filesOfOtherTimesAreLeftOut() throws IOException {
    open(Map.of());
    flush(cell("a", 100, CellType.PUT));
    flush(cell("a", 200, CellType.PUT));
    flush(cell("b", 300, CellType.DELETE));

    assertThat(cursors(within(0, 100))).isZero();
    assertThat(cursors(within(100, 101))).isOne();
    assertThat(cursors(within(150, 301))).isEqualTo(2);
    assertThat(cursors(within(301, 400))).isZero();
    assertThat(cursors(within(0, Long.MAX_VALUE))).isEqualTo(3);
  }

  @Test
  void aMarkerSpeaksOfAllTimesBeforeItsOwn() throws IOException {
    open(Map.of());
    flush(cell("a", 100, CellType.PUT));
    flush(cell("a", 200, CellType.DELETE_COLUMN));
    flush(cell("", 300, CellType.DELETE_FAMILY));

    assertThat(cursors(within(50, 150))).isEqualTo(3);
    assertThat(cursors(within(250, 260))).isOne();
  }

  @Test
  void segmentsOfOtherTimesAreLeftOut() throws IOException {
    open(Map.of());
    add(cell("a", 100, CellType.PUT));
    add(cell("b", 200, CellType.DELETE));

    assertThat(cursors(within(0, 100))).isZero();
    assertThat(cursors(within(100, 101))).isOne();
    assertThat(cursors(within(201, 400))).isZero();
    assertThat(cursors(within(0, Long.MAX_VALUE))).isOne();

    add(cell("a", 200, CellType.DELETE_COLUMN));
    assertThat(cursors(within(0, 100))).isOne();
    assertThat(cursors(within(201, 400))).isZero();
  }

  @Test
  void whereOrderOfWritingDecidesEveryFileCounts() throws IOException {
    open(Map.of("NEW_VERSION_BEHAVIOR", "true"));
    flush(cell("a", 100, CellType.PUT));
    flush(cell("a", 200, CellType.PUT));

    assertThat(cursors(within(100, 101))).isEqualTo(2);
  }

  @Test
  void aReadOfOneColumnPassesOverTheBeginningOfAWideRow() throws IOException {
    open(Map.of("BLOCKSIZE", "500"));
    flush(wideRow());

    assertThat(blocksReadFor("q400")).isOne();
  }

  @Test
  void markersForTheFamilyAreNotPassedOver() throws IOException {
    open(Map.of("BLOCKSIZE", "500"));
    Cell[] cells = wideRow();
    cells[0] = cell("", 0, CellType.DELETE_FAMILY); // older than all, which the flush leaves alone
    flush(cells);

    assertThat(blocksReadFor("q400")).isEqualTo(2);
  }

  private static Cell[] wideRow() {
    Cell[] cells = new Cell[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
      cells[i] = cell("q%03d".formatted(i), 1, CellType.PUT);
    }
    return cells;
  }

  /** Returns how many data blocks a read of one column takes, from the row's beginning on. */
  private long blocksReadFor(String qualifier) throws IOException {
    ScanRequest request =
        ScanRequest.row(ROW).family(FAMILY, FamilySelection.of(Bytes.utf8(qualifier))).build();
    StoreView view = store.pin();
    List<CellCursor> cursors = cursors(view, request);
    long before = cache.statistics().misses();
    CellCursor cursor = cursors.get(0);
    cursor.seek(Cell.firstOnRow(ROW));
    cursor.seek(Cell.firstOnColumn(ROW, FAMILY, Bytes.utf8(qualifier)));
    assertThat(cursor.cell().qualifier()).isEqualTo(Bytes.utf8(qualifier));
    cursors.forEach(CellCursor::close);
    view.release();
    return cache.statistics().misses() - before;
  }

  private int cursors(ScanRequest request) throws IOException {
    StoreView view = store.pin();
    List<CellCursor> cursors = cursors(view, request);
    cursors.forEach(CellCursor::close);
    view.release();
    return cursors.size();
  }

  private List<CellCursor> cursors(StoreView view, ScanRequest request) throws IOException {
    return new ViewCursors(view, SourceMetrics.counting(ReadMetrics.unused()))
        .source(store.family(), request, Long.MAX_VALUE, ValueSource.NONE, FileAccess.ALWAYS)
        .cursors();
  }

  private static ScanRequest within(long from, long to) {
    return ScanRequest.builder().timeRange(new TimeRange(from, to)).build();
  }

  private void open(Map<String, String> attributes) throws IOException {
    StoreContext context =
        new StoreContext(
            new MemoryStorage(Clock.SYSTEM),
            cache,
            Clock.SYSTEM,
            () -> "%032x".formatted(++sequence),
            EngineListener.NONE,
            StoreSettings.DEFAULTS);
    store =
        StoreOpening.open(
            new RegionInfo(TableName.parse("t"), Bytes.EMPTY, Bytes.EMPTY, 1),
            FamilySchema.of("f", attributes),
            new RegionDirectory("data/default/t/region"),
            context);
  }

  private void add(Cell... cells) {
    for (Cell cell : cells) {
      store.add(cell, ++sequence, 0);
    }
  }

  private void flush(Cell... cells) throws IOException {
    add(cells);
    store.freeze();
    store.flush(sequence, Long.MAX_VALUE);
  }

  private static Cell cell(String qualifier, long timestamp, CellType type) {
    return Cell.of(
        ROW, FAMILY, Bytes.utf8(qualifier), timestamp, type.code(), Bytes.EMPTY, Bytes.EMPTY, 0);
  }
}
