package dev.cairn.studies.indexes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.studies.Figure;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import dev.cairn.testing.CairnExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What queries answer after a client has died between two steps of a write, or has written at the
 * same time as another one, and after the repair. Ann moves from Bonn to Rome.
 */
class DyingClientTest {
  private static final String ANN = "ann";
  private static final String BONN = "Bonn";
  private static final String ROME = "Rome";

  /** Answers: a city for each query that has Ann; an entry for each row that the index has. */
  private record Found(String row, List<String> queries, List<Long> counts, List<String> entries) {}

  @RegisterExtension static final CairnExtension CAIRN = new CairnExtension();

  private long number;

  static Stream<Arguments> deaths() {
    List<Long> bonn = List.of(1L, 0L);
    List<Long> rome = List.of(0L, 1L);
    return Stream.of(
        dies(new DualWrite(), 1, new Found(BONN, List.of(BONN), bonn, List.of(BONN))),
        // The row is missed, and is found where it is no longer.
        dies(new DualWrite(), 2, new Found(ROME, List.of(BONN), bonn, List.of(BONN))),
        dies(new DualWrite(), 3, new Found(ROME, List.of(ROME), rome, List.of(ROME))),
        // Queries are right after each step; an entry is left over.
        dies(new CheckedDualWrite(), 1, new Found(BONN, List.of(BONN), bonn, List.of(BONN))),
        dies(new CheckedDualWrite(), 2, new Found(BONN, List.of(BONN), bonn, List.of(BONN, ROME))),
        dies(new CheckedDualWrite(), 3, new Found(ROME, List.of(ROME), rome, List.of(BONN, ROME))),
        dies(new CheckedDualWrite(), 4, new Found(ROME, List.of(ROME), rome, List.of(ROME))),
        // The numbers are wrong.
        dies(new SummaryTable(), 2, new Found(ROME, List.of(ROME), bonn, List.of())),
        dies(new SummaryTable(), 3, new Found(ROME, List.of(ROME), rome, List.of())),
        // Old until the next run.
        dies(new PeriodicIndex(), 1, new Found(ROME, List.of(BONN), bonn, List.of())),
        dies(new HookedTable(), 1, new Found(ROME, List.of(ROME), rome, List.of(ROME))),
        dies(new FilteredScan(false), 1, new Found(ROME, List.of(ROME), rome, List.of())),
        dies(new FilteredScan(true), 1, new Found(ROME, List.of(ROME), rome, List.of())));
  }

  private static Arguments dies(Pattern pattern, int steps, Found found) {
    return Arguments.of(pattern, steps, found);
  }

  @ParameterizedTest(name = "{0}, {1} steps")
  @MethodSource("deaths")
  void aClientDies(Pattern pattern, int steps, Found found) throws IOException {
    create(pattern);
    try (Tables tables = pattern.open(CAIRN.connection())) {
      run(pattern.steps(tables, List.of(move(BONN))), 0, Integer.MAX_VALUE);
      pattern.maintain(CAIRN.connection());
      run(pattern.steps(tables, List.of(move(ROME))), 0, steps);
    }
    assertThat(find(pattern)).isEqualTo(found);
    checkRepair(pattern);
  }

  static Stream<Arguments> clashes() {
    return Stream.of(
        // Two entries, of which the second client knows only the first one.
        Arguments.of(
            new DualWrite(),
            new Found(ROME, List.of("Oslo", ROME), List.of(0L, 1L), List.of("Oslo", ROME))),
        Arguments.of(
            new CheckedDualWrite(),
            new Found(ROME, List.of(ROME), List.of(0L, 1L), List.of("Oslo", ROME))),
        // Bonn has lost the same user twice.
        Arguments.of(
            new SummaryTable(), new Found(ROME, List.of(ROME), List.of(-1L, 1L), List.of())));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("clashes")
  void twoClientsWriteAtTheSameTime(Pattern pattern, Found found) throws IOException {
    create(pattern);
    try (Tables one = pattern.open(CAIRN.connection());
        Tables two = pattern.open(CAIRN.connection())) {
      run(pattern.steps(one, List.of(move(BONN))), 0, Integer.MAX_VALUE);
      List<Pattern.Step> first = pattern.steps(one, List.of(move("Oslo")));
      List<Pattern.Step> second = pattern.steps(two, List.of(move(ROME)));
      // Both read that Ann lives in Bonn.
      run(first, 0, 1);
      run(second, 0, 1);
      run(first, 1, Integer.MAX_VALUE);
      run(second, 1, Integer.MAX_VALUE);
    }
    assertThat(find(pattern)).isEqualTo(found);
    checkRepair(pattern);
  }

  private void checkRepair(Pattern pattern) throws IOException {
    pattern.repair(CAIRN.connection(), Long.MAX_VALUE);
    Found repaired = find(pattern);
    List<Long> counts =
        List.of(repaired.row().equals(BONN) ? 1L : 0L, repaired.row().equals(ROME) ? 1L : 0L);
    assertThat(repaired.queries()).containsExactly(repaired.row());
    assertThat(repaired.counts()).isEqualTo(counts);
    assertThat(repaired.entries()).isSubsetOf(repaired.row());
    drop(pattern);
  }

  @Test
  void aServerDiesBetweenTheEntryAndTheRow() throws IOException {
    Pattern pattern = new HookedTable();
    create(pattern);
    try (Tables tables = pattern.open(CAIRN.connection());
        Table index = CAIRN.connection().getTable(Entries.NAME)) {
      run(pattern.steps(tables, List.of(move(BONN))), 0, Integer.MAX_VALUE);
      index.put(Entries.PLAIN.put(ROME, ANN, move(ROME).timestamp()));
    }
    assertThat(find(pattern))
        .isEqualTo(new Found(BONN, List.of(BONN), List.of(1L, 0L), List.of(BONN, ROME)));
    checkRepair(pattern);
  }

  @Test
  void aRepairLeavesWritesInProgressAlone() throws IOException {
    Pattern pattern = new CheckedDualWrite();
    create(pattern);
    try (Tables tables = pattern.open(CAIRN.connection())) {
      run(pattern.steps(tables, List.of(move(BONN))), 0, Integer.MAX_VALUE);
      Move move = move(ROME);
      List<Pattern.Step> steps = pattern.steps(tables, List.of(move));
      run(steps, 0, 2);
      IndexRepair repair = new IndexRepair(CAIRN.connection(), move.timestamp());
      repair.run();
      assertThat(repair.wrong()).isZero();
      run(steps, 2, Integer.MAX_VALUE);
      assertThat(find(pattern))
          .isEqualTo(new Found(ROME, List.of(ROME), List.of(0L, 1L), List.of(ROME)));
    }
    drop(pattern);
  }

  @Test
  void aRepairFindsWhatIsMissingAndWhatIsWrong() throws IOException {
    Pattern pattern = new DualWrite();
    create(pattern);
    try (Tables tables = pattern.open(CAIRN.connection())) {
      run(pattern.steps(tables, List.of(move(BONN))), 0, Integer.MAX_VALUE);
      run(pattern.steps(tables, List.of(move(ROME))), 0, 2);
    }
    IndexRepair repair = new IndexRepair(CAIRN.connection(), Long.MAX_VALUE);
    repair.run();
    assertThat(repair.missing()).isEqualTo(1);
    assertThat(repair.wrong()).isEqualTo(1);
    drop(pattern);
  }

  @Test
  void aPeriodicJobKeepsTheGenerationBefore() throws IOException {
    Pattern pattern = new PeriodicIndex();
    create(pattern);
    for (String city : List.of("Oslo", BONN, ROME)) {
      try (Tables tables = pattern.open(CAIRN.connection())) {
        run(pattern.steps(tables, List.of(move(city))), 0, Integer.MAX_VALUE);
      }
      pattern.maintain(CAIRN.connection());
    }
    List<String> rows =
        Scans.list(
            CAIRN.connection(),
            Entries.NAME,
            new Scan(),
            row -> Bytes.toStringBinary(row.getRow()));
    assertThat(rows)
        .containsExactly(
            "\\x00\\x00\\x00\\x00",
            "\\x00\\x00\\x00\\x02Bonn\\x00ann",
            "\\x00\\x00\\x00\\x03Rome\\x00ann");
    drop(pattern);
  }

  /** Every pattern can be measured, and those that promise it are never wrong. */
  @Test
  void stalenessIsMeasured() throws IOException {
    for (Pattern pattern : IndexPatterns.patterns()) {
      create(pattern);
      List<Figure> figures = new Staleness(pattern, CAIRN.connection(), 1, 5).figures();
      double wrong = figures.get(0).value();
      if (pattern.needsMaintenance()) {
        assertThat(wrong).as(pattern.name()).isEqualTo(100);
        assertThat(figures.get(1).value()).as(pattern.name()).isPositive();
        assertThat(figures.get(2).value()).as(pattern.name()).isPositive();
      } else if (!(pattern instanceof DualWrite)) {
        assertThat(wrong).as(pattern.name()).isZero();
      }
      drop(pattern);
    }
  }

  private static void create(Pattern pattern) throws IOException {
    for (NewTable table : pattern.tables(1)) {
      table.create(CAIRN.admin());
    }
  }

  private static void drop(Pattern pattern) throws IOException {
    for (NewTable table : pattern.tables(1)) {
      table.drop(CAIRN.admin());
    }
  }

  private Move move(String city) {
    return new Move(number++, ANN, Optional.of(city));
  }

  private static void run(List<Pattern.Step> steps, int from, int to) throws IOException {
    for (Pattern.Step step : steps.subList(from, Math.min(to, steps.size()))) {
      step.run();
    }
  }

  private static Found find(Pattern pattern) throws IOException {
    Connection connection = CAIRN.connection();
    List<String> queries = new ArrayList<>();
    for (String city : List.of(BONN, "Oslo", ROME)) {
      pattern.users(connection, city).forEach(user -> queries.add(city));
    }
    try (Table users = connection.getTable(UserTable.NAME)) {
      String row = UserTable.Home.of(users.get(new Get(Bytes.toBytes(ANN)))).orElseThrow().city();
      return new Found(
          row,
          queries,
          List.of(pattern.count(connection, BONN), pattern.count(connection, ROME)),
          entries(pattern));
    }
  }

  private static List<String> entries(Pattern pattern) throws IOException {
    if (!pattern.tables(1).contains(Entries.PLAIN.table())) {
      return List.of();
    }
    return List.copyOf(
        new TreeSet<>(
            Scans.list(
                CAIRN.connection(),
                Entries.NAME,
                new Scan(),
                row -> Entries.PLAIN.user(row).city())));
  }
}
