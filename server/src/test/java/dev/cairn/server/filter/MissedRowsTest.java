package dev.cairn.server.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.scan.row.RowScanner;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.server.filter.RandomFilters.Dependent;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random scans with random trees of filters: each row of the result fulfils the tree's condition,
 * and a scan from which rows that do not are hidden has the same result. A mistake in what is known
 * about a filter must show.
 */
class MissedRowsTest {
  private static final int RUNS = Integer.getInteger("cairn.rounds", 8000);

  /** The test runs up to so many times as long until it has compared scans with each filter. */
  private static final int LONGER = 10;

  /** A mistake shows long before. */
  private static final int RUNS_WITH_MISTAKE = 200_000;

  private static final FilterParser PARSER =
      TestFilters.parser(MissedRowsTest.class.getClassLoader());

  private final ManualClock clock = new ManualClock();
  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** The numbers of scans that missed rows and returned others, by filter. */
  private final Map<Class<?>, Integer> compared = new HashMap<>();

  private int comparedScans;
  private int failedScans;

  /** A mistake about filters: the tree that is asked in place of the tree that scans. */
  enum Mistake {
    NONE(filter -> filter),
    MISSING_COLUMNS_FILTERED(
        leaves(
            filter -> {
              if (filter instanceof SingleColumnValueFilter single) {
                single.setFilterIfMissing(true);
              }
              return filter;
            })),
    OR_TELLS_ALL(MissedRowsTest::withAnd),
    ROW_RANGES_HARMLESS_IN_OR(
        leaves(
            filter ->
                RowIndependence.OF_ROW_RANGES.contains(filter.getClass())
                    ? new FirstKeyOnlyFilter()
                    : filter)),
    PAGES_HARMLESS(harmless(PageFilter.class), Dependent.PAGE),
    COLUMN_COUNTS_HARMLESS(harmless(ColumnCountGetFilter.class), Dependent.COLUMN_COUNT),
    USERS_FILTERS_HARMLESS(harmless(RandomFilters.EverySecondRow.class), Dependent.USERS),
    FUZZY_ROWS_HARMLESS(harmless(FuzzyRows.class), Dependent.FUZZY),
    WHILE_HARMLESS(MissedRowsTest::withoutWhile, Dependent.WHILE);

    private final UnaryOperator<Filter> change;
    private final List<Dependent> dependents;

    /**
     * Creates a mistake.
     *
     * @param dependents the filters whose answers depend on earlier rows that the mistake is about
     */
    Mistake(UnaryOperator<Filter> change, Dependent... dependents) {
      this.change = change;
      this.dependents = List.of(dependents);
    }

    private static UnaryOperator<Filter> leaves(UnaryOperator<Filter> change) {
      return tree -> RandomFilters.replace(tree, change);
    }

    /** Replaces filters of a class by one that tells nothing and may miss rows. */
    private static UnaryOperator<Filter> harmless(Class<? extends Filter> type) {
      return leaves(filter -> type.isInstance(filter) ? new FirstKeyOnlyFilter() : filter);
    }
  }

  /** A table: its families, and the cells of each in order. */
  private record Table(Map<String, FamilySchema> families, Map<String, List<Cell>> cells) {
    Set<byte[]> rows() {
      Set<byte[]> rows = new TreeSet<>(Arrays::compareUnsigned);
      cells.values().forEach(list -> list.forEach(cell -> rows.add(cell.row())));
      return rows;
    }

    boolean fulfils(byte[] row, RowCondition condition) {
      return condition.isFulfilled(
          column ->
              cells.getOrDefault(Bytes.utf8(column.family()), List.of()).stream()
                  .anyMatch(
                      cell ->
                          Arrays.equals(cell.row(), row)
                              && Arrays.equals(cell.qualifier(), column.qualifier())
                              && cell.typeCode() == CellType.PUT.code()
                              && column.values().contains(cell.value())));
    }

    Table without(Set<byte[]> hidden) {
      Map<String, List<Cell>> rest = new TreeMap<>();
      cells.forEach(
          (family, list) ->
              rest.put(
                  family, list.stream().filter(cell -> !hidden.contains(cell.row())).toList()));
      return new Table(families, rest);
    }
  }

  /** The result of a scan, and the rows in it. */
  private record Result(List<String> cells, Set<byte[]> rows) {}

  @Test
  void hiddenRowsDoNotChangeResults() throws IOException {
    Set<Class<?>> expected = new HashSet<>(RowIndependence.OF_SINGLE_ROWS);
    expected.addAll(RowIndependence.OF_ROW_RANGES);
    expected.add(PageFilter.class);
    int runs = 0;
    while (runs < RUNS || runs < RUNS * LONGER && !compared.keySet().containsAll(expected)) {
      assertThat(firstDifference(Mistake.NONE, RUNS)).as("seed %d", seed).isEmpty();
      runs += RUNS;
    }
    assertThat(compared.keySet()).as("seed %d", seed).containsAll(expected);
    assertThat(comparedScans).as("seed %d", seed).isGreaterThan(runs / 20);
    assertThat(failedScans).as("seed %d", seed).isLessThan(runs / 5);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void mistakesAboutFiltersShow(Mistake mistake) throws IOException {
    assertThat(firstDifference(mistake, RUNS_WITH_MISTAKE)).as("seed %d", seed).isPresent();
  }

  /** Runs scans until the first one whose result is wrong; tells which. */
  private Optional<String> firstDifference(Mistake mistake, int runs) throws IOException {
    for (int run = 0; run < runs; run++) {
      RandomFilters filters =
          new RandomFilters(random, clock.currentTimeMillis() - 3000, dependents(mistake));
      Table table = table(filters);
      Filter tree = filters.tree();
      ScanRequest.Builder request = request(filters);
      FilterAdapter asked = adapter(mistake.change.apply(parsed(tree)), request);
      RowCondition condition = asked.rowCondition(request.build());
      Result plain;
      try {
        plain = scan(table, request, parsed(tree));
      } catch (DoNotRetryIOException e) {
        failedScans++;
        continue;
      }
      if (!plain.rows.stream().allMatch(row -> table.fulfils(row, condition))) {
        return Optional.of(
            "A row does not fulfil the condition in" + text(run, tree, request, condition));
      }
      if (asked.mayMissRows() && !isSameWithout(table, condition, request, tree, plain)) {
        return Optional.of("The result changes in" + text(run, tree, request, condition));
      }
    }
    return Optional.empty();
  }

  private List<Dependent> dependents(Mistake mistake) {
    boolean all = mistake == Mistake.NONE && random.nextInt(3) == 0;
    return all ? List.of(Dependent.values()) : mistake.dependents;
  }

  /** Tells whether a scan has the same result if rows are hidden that do not fulfil a condition. */
  private boolean isSameWithout(
      Table table, RowCondition condition, ScanRequest.Builder request, Filter tree, Result plain)
      throws IOException {
    boolean some = random.nextInt(3) == 0;
    Set<byte[]> hidden = new TreeSet<>(Arrays::compareUnsigned);
    for (byte[] row : table.rows()) {
      if (!table.fulfils(row, condition) && !(some && random.nextBoolean())) {
        hidden.add(row);
      }
    }
    Result rest;
    try {
      rest = scan(table.without(hidden), request, parsed(tree));
    } catch (DoNotRetryIOException e) {
      return false;
    }
    if (!hidden.isEmpty() && !plain.rows.isEmpty()) {
      comparedScans++;
      count(parsed(tree));
    }
    return rest.cells.equals(plain.cells);
  }

  private void count(Filter tree) {
    compared.merge(tree.getClass(), 1, Integer::sum);
    if (tree instanceof FilterList list) {
      list.getFilters().forEach(this::count);
    }
  }

  private Table table(RandomFilters filters) {
    boolean plain = random.nextInt(3) == 0;
    Map<String, FamilySchema> families = new TreeMap<>();
    Map<String, List<Cell>> cells = new TreeMap<>();
    for (String name : RandomFilters.FAMILIES) {
      Map<String, String> attributes = new HashMap<>();
      attributes.put("VERSIONS", "" + (plain ? 1 : 1 + random.nextInt(3)));
      if (!plain && random.nextInt(3) == 0) {
        attributes.put("TTL", "3"); // of which the older half of the cells is expired
        attributes.put("MIN_VERSIONS", "" + random.nextInt(2));
      }
      if (!plain && random.nextInt(3) == 0) {
        attributes.put("KEEP_DELETED_CELLS", "TRUE");
      }
      if (!plain && random.nextInt(4) == 0) {
        attributes.put("NEW_VERSION_BEHAVIOR", "true");
      }
      families.put(name, FamilySchema.of(name, attributes));
      cells.put(name, new ArrayList<>());
    }
    int count = 5 + random.nextInt(random.nextBoolean() ? 20 : 100);
    for (int i = 1; i <= count; i++) {
      byte[] family = filters.family();
      byte[] qualifier = filters.qualifier();
      boolean put = plain || random.nextInt(6) > 0;
      CellType type = put ? CellType.PUT : marker();
      boolean ofFamily = type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
      cells
          .get(Bytes.utf8(family))
          .add(
              Cell.of(
                  filters.row(),
                  family,
                  ofFamily ? Bytes.EMPTY : qualifier,
                  filters.timestamp(),
                  type.code(),
                  put ? filters.value(qualifier) : Bytes.EMPTY,
                  Bytes.EMPTY,
                  i));
    }
    cells.values().forEach(list -> list.sort(CellComparator.USER));
    return new Table(families, cells);
  }

  private CellType marker() {
    CellType[] markers = {
      CellType.DELETE,
      CellType.DELETE_COLUMN,
      CellType.DELETE_FAMILY,
      CellType.DELETE_FAMILY_VERSION
    };
    return markers[random.nextInt(markers.length)];
  }

  private ScanRequest.Builder request(RandomFilters filters) {
    ScanRequest.Builder request =
        ScanRequest.builder()
            .reversed(random.nextInt(3) == 0)
            .maxVersions(1 + random.nextInt(3))
            .raw(random.nextInt(20) == 0)
            .loadFamiliesOnDemand(random.nextBoolean());
    if (random.nextInt(4) == 0) {
      request.timeRange(times(filters));
    }
    if (random.nextInt(8) == 0) {
      request.cellsPerFamily(1 + random.nextInt(3), random.nextInt(2));
    }
    boolean raw = request.build().raw();
    for (int i = random.nextInt(3); i > 0; i--) {
      FamilySelection selection =
          raw || random.nextBoolean()
              ? FamilySelection.ALL
              : random.nextBoolean()
                  ? FamilySelection.of(filters.qualifier())
                  : FamilySelection.of(filters.qualifier(), filters.qualifier());
      request.family(
          filters.family(), random.nextInt(6) == 0 ? selection.within(times(filters)) : selection);
    }
    return request;
  }

  private static String text(
      int run, Filter tree, ScanRequest.Builder builder, RowCondition condition) {
    ScanRequest request = builder.build();
    StringBuilder text = new StringBuilder(" run " + run + ": " + tree + " of ");
    request
        .families()
        .forEach(
            (family, selection) -> {
              text.append(Bytes.utf8(family));
              selection.qualifiers().forEach(q -> text.append(':').append(Bytes.utf8(q)));
              text.append(' ').append(selection.timeRange()).append(' ');
            });
    return text.append(request.timeRange())
        .append(request.reversed() ? " reversed" : "")
        .append(request.raw() ? " raw" : "")
        .append(request.loadFamiliesOnDemand() ? " on demand" : "")
        .append(" versions " + request.maxVersions())
        .append(" limit " + request.cellsPerFamilyLimit())
        .append(" from " + request.cellsPerFamilyOffset())
        .append(", condition: " + condition)
        .toString();
  }

  private static TimeRange times(RandomFilters filters) {
    long a = filters.timestamp();
    long b = filters.timestamp();
    return new TimeRange(Math.min(a, b), Math.max(a, b) + 1);
  }

  private Result scan(Table table, ScanRequest.Builder request, Filter filter) throws IOException {
    List<StoreSource> sources = new ArrayList<>();
    table.families.forEach(
        (name, schema) ->
            sources.add(new StoreSource(schema, List.of(new CountedCells(table.cells.get(name))))));
    Result result = new Result(new ArrayList<>(), new TreeSet<>(Arrays::compareUnsigned));
    try (RowScanner scanner = new RowScanner(CellComparator.USER, clock)) {
      ScanRequest filtered = request.filter(adapter(filter, request)).build();
      scanner.begin(filtered, sources, Long.MAX_VALUE, ReadMetrics.unused());
      CellBuffer out = new CellBuffer();
      while (scanner.next(out, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        for (int i = 0; i < out.size(); i++) {
          result.cells.add(out.get(i) + "=" + Bytes.toStringBinary(out.get(i).value()));
          result.rows.add(out.get(i).row());
        }
        out.clear();
      }
    }
    return result;
  }

  private static FilterAdapter adapter(Filter filter, ScanRequest.Builder request)
      throws IOException {
    return new FilterAdapter(filter, request.build().reversed());
  }

  /** Returns a copy of a tree, made of its message. */
  private static Filter parsed(Filter tree) throws IOException {
    return PARSER.filter(ProtobufUtil.toFilter(tree));
  }

  private static Filter withoutWhile(Filter tree) {
    if (tree instanceof FilterList list) {
      List<Filter> members = list.getFilters().stream().map(MissedRowsTest::withoutWhile).toList();
      return new FilterList(list.getOperator(), members);
    }
    return tree instanceof WhileMatchFilter filter ? withoutWhile(filter.getFilter()) : tree;
  }

  private static Filter withAnd(Filter tree) {
    if (tree instanceof FilterList list) {
      return new FilterList(list.getFilters().stream().map(MissedRowsTest::withAnd).toList());
    }
    return tree;
  }
}
