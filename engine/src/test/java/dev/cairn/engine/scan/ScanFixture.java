package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.ListCursor;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.scan.retention.CompactionCursor;
import dev.cairn.engine.scan.row.RowScanner;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Cells written as text, {@code row/family:qualifier/timestamp/Type=value}, each under the next
 * sequence number; and the rows that a scan makes of them, as text.
 */
public final class ScanFixture {
  private static final long NOW = 1000;

  private final Map<String, FamilySchema> families = new LinkedHashMap<>();
  private final List<Cell> cells = new ArrayList<>();
  private DeleteRules deletes = DeleteRules.OF_FAMILIES;

  /** Adds a family; attributes are HBase's, as {@code VERSIONS=3}. */
  public ScanFixture family(String name, String... attributes) {
    Map<String, String> map = new LinkedHashMap<>();
    for (String attribute : attributes) {
      map.put(attribute.split("=")[0], attribute.split("=")[1]);
    }
    families.put(name, FamilySchema.of(name, map));
    return this;
  }

  /** Lets rewrites apply delete markers by rules from outside. */
  public ScanFixture deletingBy(DeleteRules rules) {
    deletes = rules;
    return this;
  }

  /** Writes cells. */
  public ScanFixture write(String... texts) {
    for (String text : texts) {
      cells.add(parse(text, cells.size() + 1));
    }
    return this;
  }

  /** Replaces the cells by what survives. */
  public ScanFixture compact(CompactionCursor.Mode mode) throws IOException {
    return compact(mode, Long.MAX_VALUE);
  }

  /** Replaces the cells by what survives while a scan at {@code oldestReadPoint} is open. */
  public ScanFixture compact(CompactionCursor.Mode mode, long oldestReadPoint) throws IOException {
    List<Cell> survivors = new ArrayList<>();
    for (FamilySchema family : families.values()) {
      try (CompactionCursor cursor =
          new CompactionCursor(
              open(family), family, mode, NOW, oldestReadPoint, 0, Long.MIN_VALUE, deletes)) {
        while (cursor.next()) {
          survivors.add(cursor.cell().copy());
        }
      }
    }
    cells.clear();
    cells.addAll(survivors);
    return this;
  }

  /** Returns all cells, in order. */
  public List<String> cells() {
    return cells.stream().sorted(CellComparator.USER).map(ScanFixture::text).toList();
  }

  /** Opens a scan. */
  public RowScanner open(ScanRequest request) throws IOException {
    List<StoreSource> stores = new ArrayList<>();
    for (FamilySchema family : families.values()) {
      stores.add(new StoreSource(family, List.of(open(family))));
    }
    Clock clock =
        new Clock() {
          @Override
          public long currentTimeMillis() {
            return NOW;
          }

          @Override
          public long nanoTime() {
            return 0;
          }
        };
    RowScanner scanner = new RowScanner(CellComparator.USER, clock);
    scanner.begin(request, stores, Long.MAX_VALUE, ReadMetrics.unused());
    return scanner;
  }

  /** Returns what a scan returns, cell by cell. */
  public List<String> scan(ScanRequest.Builder request) throws IOException {
    List<String> result = new ArrayList<>();
    try (RowScanner scanner = open(request.build())) {
      CellBuffer out = new CellBuffer();
      while (scanner.next(out, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        result.addAll(texts(out));
        out.clear();
      }
    }
    return result;
  }

  /** Returns every version of everything. */
  public List<String> scanVersions() throws IOException {
    return scan(ScanRequest.builder().maxVersions(Integer.MAX_VALUE));
  }

  /** Returns cells as they are written. */
  public static List<String> texts(CellBuffer cells) {
    List<String> result = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      result.add(text(cells.get(i)));
    }
    return result;
  }

  private ListCursor open(FamilySchema family) {
    return new ListCursor(
        CellComparator.USER,
        cells.stream()
            .filter(cell -> Arrays.equals(cell.family(), family.name()))
            .sorted(CellComparator.USER)
            .toList());
  }

  private static String text(Cell cell) {
    String key = cell.toString();
    String value = cell.valueLength() == 0 ? "" : "=" + Bytes.utf8(cell.value());
    return key.substring(0, key.lastIndexOf("/vlen")) + value;
  }

  private static Cell parse(String text, long sequence) {
    String[] parts = text.split("/");
    String[] column = parts[1].split(":", -1);
    String[] what = parts[3].split("=", -1);
    CellType type =
        switch (what[0]) {
          case "Put" -> CellType.PUT;
          case "Delete" -> CellType.DELETE;
          case "DeleteColumn" -> CellType.DELETE_COLUMN;
          case "DeleteFamily" -> CellType.DELETE_FAMILY;
          case "DeleteFamilyVersion" -> CellType.DELETE_FAMILY_VERSION;
          default -> throw new IllegalArgumentException(text);
        };
    return Cell.of(
        Bytes.utf8(parts[0]),
        Bytes.utf8(column[0]),
        Bytes.utf8(column[1]),
        Long.parseLong(parts[2]),
        type.code(),
        Bytes.utf8(what.length > 1 ? what[1] : ""),
        Bytes.EMPTY,
        sequence);
  }
}
