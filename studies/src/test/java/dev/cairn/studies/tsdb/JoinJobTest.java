package dev.cairn.studies.tsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.studies.FactWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import dev.cairn.studies.tsdb.HourRows.Cells;
import dev.cairn.studies.tsdb.PointTable.Blocks;
import dev.cairn.testing.CairnExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The job that joins cells: run twice, stopped on the way, and while points are written. */
class JoinJobTest {
  private static final long COUNT = 40_000;

  @RegisterExtension static final CairnExtension CAIRN = new CairnExtension();

  private final HourRows design = HourRows.of("joined", Cells.JOINED, Blocks.PLAIN);
  private final Span all =
      new Span(
          Point.metric(1), Optional.empty(), Point.BEGIN, Point.BEGIN.plusSeconds(1 << 20), false);

  @BeforeEach
  void store() throws IOException {
    for (NewTable table : design.tables(COUNT)) {
      table.create(CAIRN.admin());
    }
    write(Point.first(COUNT).toList());
  }

  private void write(List<Point> points) throws IOException {
    try (FactWriter<Point> writer = design.writer(CAIRN.connection())) {
      for (Point point : points) {
        writer.write(point);
      }
    }
  }

  private List<Point> answer() throws IOException {
    return design.answer(CAIRN.connection(), all);
  }

  private static JoinJob job() {
    return new JoinJob(CAIRN.connection(), PointTable.NAME, PointTable.FAMILY);
  }

  private static List<Result> rows() throws IOException {
    return Scans.list(CAIRN.connection(), PointTable.NAME, new Scan(), row -> row);
  }

  @Test
  void aSecondRunFindsNothingToDo() throws IOException {
    List<Point> before = answer();
    int rows = rows().size();
    assertThat(job().run(row -> true)).isEqualTo(rows);
    assertThat(answer()).isEqualTo(before);
    assertThat(rows()).hasSize(rows).allMatch(row -> row.size() == 1);
    assertThat(job().run(row -> true)).isZero();
    assertThat(answer()).isEqualTo(before);
  }

  @Test
  void aRunThatIsStoppedIsFinishedByTheNext() throws IOException {
    List<Point> before = answer();
    int rows = rows().size();
    int[] seen = {0};
    assertThatThrownBy(
            () ->
                job()
                    .run(
                        row -> {
                          if (++seen[0] > rows * 3 / 4) {
                            throw new IllegalStateException("stopped");
                          }
                          return true;
                        }))
        .hasMessage("stopped");
    assertThat(answer()).isEqualTo(before);
    assertThat(rows()).anyMatch(row -> row.size() == 1).anyMatch(row -> row.size() > 1);
    assertThat(job().run(row -> true)).isLessThan(rows);
    assertThat(answer()).isEqualTo(before);
    assertThat(rows()).allMatch(row -> row.size() == 1);
  }

  /** The state after a crash of a program that writes and deletes in two steps. */
  @Test
  void pointsThatAreAlsoInAJoinedCellCountOnce() throws IOException {
    List<Point> before = answer();
    try (Table table = CAIRN.connection().getTable(PointTable.NAME)) {
      for (Result row : rows()) {
        TreeMap<Integer, Long> points = HourCells.points(row.listCells());
        table.put(
            new Put(row.getRow())
                .addColumn(
                    PointTable.FAMILY,
                    HourCells.joinedQualifier(points),
                    HourCells.joinedValue(points)));
      }
    }
    assertThat(answer()).isEqualTo(before);
    job().run(row -> true);
    assertThat(answer()).isEqualTo(before);
    assertThat(rows()).allMatch(row -> row.size() == 1);
  }

  @Test
  void laterPointsAndCorrectionsAreJoinedByTheNextRun() throws IOException {
    job().run(row -> true);
    List<Point> expected = new ArrayList<>(answer());
    Point corrected = expected.get(0);
    Point small = new Point(corrected.metric(), corrected.host(), corrected.time(), 1);
    Point wide = new Point(corrected.metric(), corrected.host(), corrected.time(), 1L << 40);
    Instant between = corrected.time().plusSeconds(5);
    Point late = new Point(corrected.metric(), corrected.host(), between, 7);
    expected.set(0, wide);
    expected.add(1, late);
    write(List.of(small));
    job().run(row -> true);
    write(List.of(wide, late));
    assertThat(answer()).isEqualTo(expected);
    assertThat(job().run(row -> true)).isOne();
    assertThat(answer()).isEqualTo(expected);
    assertThat(rows()).allMatch(row -> row.size() == 1);
  }

  @Test
  void rowsOfHoursThatAreNotOverStay() throws IOException {
    int rows = rows().size();
    int[] asked = {0};
    int changed = job().run(row -> asked[0]++ % 2 == 0);
    assertThat(changed).isEqualTo((rows + 1) / 2);
    assertThat(rows().stream().filter(row -> row.size() > 1).count()).isEqualTo(rows / 2);
  }

  /** The job has read the row, and its change comes after the correction. */
  @Test
  void aCorrectionThatComesMeanwhileStays() throws IOException {
    List<Point> expected = new ArrayList<>(answer());
    Point first = expected.get(0);
    // The same number of bytes, so the cell of the correction has the qualifier of the first value.
    Point corrected = new Point(first.metric(), first.host(), first.time(), first.value() ^ 1);
    Point late =
        new Point(first.metric(), first.host(), first.time().plusSeconds(1), first.value());
    expected.set(0, corrected);
    expected.add(1, late);
    byte[] key = design.keys().key(CAIRN.connection(), first);
    job()
        .run(
            row -> {
              if (Arrays.equals(row, key)) {
                try {
                  write(List.of(corrected, late));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
              return true;
            });
    assertThat(answer()).isEqualTo(expected);
    job().run(row -> true);
    assertThat(answer()).isEqualTo(expected);
  }
}
