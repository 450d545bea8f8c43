package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.constraint.ColumnRules;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The table of a {@link TextCase}, stored in one {@link TableShape}. Its clock stands at 1000000
 * unless a command sets it.
 */
final class CaseTable implements TextCase.Interpreter {
  private static final long BEGIN_MILLIS = 1_000_000;
  private static final ReadBudget ROWS_AT_ONCE = RegionHarness.ofRows(5, ReadBudget.WHOLE_ROWS);
  private static final ReadBudget CELL_BY_CELL =
      RegionHarness.ofRows(1, new ReadBudget(-1, 1, Long.MAX_VALUE, true));
  private static final List<String> NO_CELLS = List.of("(no cells)");

  private final TableShape shape;
  private final List<FamilySchema> families = new ArrayList<>();
  private final Map<String, String> constraints = new LinkedHashMap<>();
  private final TreeSet<String> rows = new TreeSet<>();
  private final Map<String, TableHarness.OpenScan> scans = new HashMap<>();
  private TableHarness table;

  CaseTable(TableShape shape) {
    this.shape = shape;
  }

  @Override
  public List<String> run(String command) throws IOException {
    List<String> words = List.of(command.split(" +"));
    List<String> rest = words.subList(1, words.size());
    if (words.get(0).equals("family")) {
      Map<String, String> attributes = new LinkedHashMap<>(shape.attributes());
      attributes.putAll(CaseText.options(rest.subList(1, rest.size())));
      families.add(FamilySchema.of(rest.get(0), attributes));
      return List.of();
    }
    if (words.get(0).equals("constraint")) {
      return constraint(rest.get(0), String.join(" ", rest.subList(1, rest.size())));
    }
    if (table == null) {
      create();
    }
    try {
      return run(command, words.get(0), rest);
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new AssertionError("Malformed command: " + command, e);
    } catch (IOException | IllegalArgumentException e) {
      return List.of("refused: " + e.getMessage().replaceAll("region t,.*", "region ..."));
    }
  }

  /** Adds a constraint to the table, unless it is malformed. */
  private List<String> constraint(String column, String rules) {
    constraints.put(ColumnRules.PREFIX + column, rules);
    try {
      schema().constraints();
      return List.of();
    } catch (IllegalArgumentException e) {
      constraints.remove(ColumnRules.PREFIX + column);
      return List.of("malformed: " + e.getMessage());
    }
  }

  private TableSchema schema() {
    TableSchema schema =
        TableSchema.of(TableName.parse("t"), families.toArray(FamilySchema[]::new));
    for (Map.Entry<String, String> constraint : constraints.entrySet()) {
      schema = schema.with(constraint.getKey(), constraint.getValue());
    }
    return schema;
  }

  private void create() throws IOException {
    table = new TableHarness(schema());
    table.clock.stop();
    setClock(BEGIN_MILLIS);
  }

  private List<String> run(String command, String verb, List<String> rest) throws IOException {
    switch (verb) {
      case "clock" -> setClock(Long.parseLong(rest.get(0)));
      case "flush" -> flush();
      case "compact" -> compact();
      case "major-compact" -> majorCompact();
      case "restart" -> restart();
      case "crash" -> crash();
      case "split" -> table.split(rest.get(0));
      case "open" -> scans.put(rest.get(0), table.open(request(rest.subList(1, rest.size()))));
      default -> {
        return answer(command, verb, rest);
      }
    }
    return List.of();
  }

  private List<String> answer(String command, String verb, List<String> rest) throws IOException {
    return switch (verb) {
      case "get" -> get(rest);
      case "scan" -> scan(rest);
      case "read" -> read(rest);
      case "stored" -> List.of("cells: " + table.storedCells());
      case "repeat" -> repeat(Integer.parseInt(rest.get(0)), rest.subList(1, rest.size()));
      case "batch" -> write(command.substring(verb.length()));
      case "atomically" -> writeAtomically(command.substring(verb.length()));
      default -> write(command);
    };
  }

  private void setClock(long millis) {
    table.clock.advance(millis - table.clock.currentTimeMillis());
  }

  private List<String> repeat(int times, List<String> command) throws IOException {
    for (int n = 1; n <= times; n++) {
      write(String.join(" ", command).replace("{n}", "" + n));
    }
    return List.of();
  }

  private List<String> write(String commands) throws IOException {
    return written(table.write(mutations(commands)));
  }

  private List<String> writeAtomically(String commands) throws IOException {
    return written(table.writeAtomically(mutations(commands)));
  }

  private List<Mutation> mutations(String commands) {
    List<Mutation> batch = Arrays.stream(commands.split(";")).map(CaseText::mutation).toList();
    batch.forEach(mutation -> rows.add(Bytes.utf8(mutation.row())));
    return batch;
  }

  private List<String> written(List<Cell> returned) throws IOException {
    shape.afterWrite().run(this);
    return texts(returned);
  }

  private ScanRequest request(List<String> options) {
    return CaseText.request(ScanRequest.builder(), CaseText.options(options));
  }

  private List<String> get(List<String> words) throws IOException {
    shape.beforeRead().run(this);
    ScanRequest request =
        CaseText.request(
            ScanRequest.row(CaseText.bytes(words.get(0))),
            CaseText.options(words.subList(1, words.size())));
    List<String> cells = texts(table.get(request));
    assertThat(texts(table.scan(request, ROWS_AT_ONCE))).as("the same as a scan").isEqualTo(cells);
    Optional<List<Cell>> withoutWaiting =
        table.get(request, ReadBudget.rowAtOnce(-1, Long.MAX_VALUE));
    withoutWaiting.ifPresent(
        found -> assertThat(texts(found)).as("the same without waiting").isEqualTo(cells));
    return cells.isEmpty() ? NO_CELLS : cells;
  }

  private List<String> scan(List<String> options) throws IOException {
    shape.beforeRead().run(this);
    int batch = Integer.parseInt(CaseText.options(options).getOrDefault("batch", "-1"));
    if (batch > 0) {
      return parts(options, batch);
    }
    List<String> cells = texts(table.scan(request(options), ROWS_AT_ONCE));
    assertThat(texts(table.scan(request(options), CELL_BY_CELL)))
        .as("the same cell by cell")
        .isEqualTo(cells);
    return cells.isEmpty() ? NO_CELLS : cells;
  }

  /** Returns the cells of a scan, with a line between the parts of a row. */
  private List<String> parts(List<String> options, int batch) throws IOException {
    List<String> lines = new ArrayList<>();
    ReadBudget budget = RegionHarness.ofRows(1, new ReadBudget(batch, -1, Long.MAX_VALUE, false));
    try (TableHarness.OpenScan scan = table.open(request(options))) {
      scan.read(
          budget,
          (part, progress) -> {
            lines.addAll(texts(part));
            if (progress == ScanProgress.BATCH_FULL) {
              lines.add("--");
            }
          });
    }
    return lines.isEmpty() ? NO_CELLS : lines;
  }

  private List<String> read(List<String> words) throws IOException {
    int rowsMax = words.size() > 1 ? Integer.parseInt(words.get(1)) : Integer.MAX_VALUE;
    List<String> cells = texts(scans.get(words.get(0)).rows(rowsMax));
    if (words.size() == 1) {
      scans.remove(words.get(0)).close();
    }
    return cells.isEmpty() ? NO_CELLS : cells;
  }

  private static List<String> texts(List<Cell> cells) {
    return cells.stream().map(CaseText::of).toList();
  }

  /** Flushes all regions. */
  void flush() throws IOException {
    for (Region region : table.regions()) {
      region.flush();
    }
  }

  /** Merges store files of all regions, as far as the policy selects them. */
  void compact() throws IOException {
    for (Region region : table.regions()) {
      region.compact(false);
    }
  }

  /** Merges all store files of each store. */
  void majorCompact() throws IOException {
    for (Region region : table.regions()) {
      region.compact(true);
    }
  }

  /** Closes all regions and opens them again, unless a scan is open. */
  void restart() throws IOException {
    if (scans.isEmpty()) {
      table.restart();
    }
  }

  /** Kills the process and recovers, unless a scan is open. */
  void crash() throws IOException {
    if (scans.isEmpty()) {
      table.recover(table.memory().afterKill());
    }
  }

  /** Splits the table before the middle one of its rows, the first time that it has two. */
  void splitInTwo() throws IOException {
    if (scans.isEmpty() && table.regions().size() == 1 && rows.size() > 1) {
      table.split(List.copyOf(rows).get(rows.size() / 2));
    }
  }

  @Override
  public void close() {
    scans.values().forEach(TableHarness.OpenScan::close);
    if (table != null) {
      table.close();
    }
  }
}
