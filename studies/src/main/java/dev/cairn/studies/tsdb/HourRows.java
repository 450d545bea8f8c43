package dev.cairn.studies.tsdb;

import dev.cairn.keys.KeyPattern;
import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.IoFunction;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.OperationWriter;
import dev.cairn.studies.Scans;
import dev.cairn.studies.tsdb.PointTable.Blocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/** A row for each hour of a series. */
record HourRows(String name, Cells cells, Blocks blocks, SeriesKeys keys)
    implements Design<Point, Span> {
  private static final int HOUR = 3_600;

  /** The cells of a row. */
  enum Cells {
    /** One for each point. */
    POINTS("a t:SECOND for each point"),
    /** One for each point, until a job joins them. */
    JOINED("a t:SECOND for each point, joined by a job"),
    /** One, to which points are appended. */
    APPENDED("one t:050000, appended to");

    private final String layout;

    Cells(String layout) {
      this.layout = layout;
    }
  }

  static HourRows of(String name, Cells cells, Blocks blocks) {
    return new HourRows(name, cells, blocks, SeriesKeys.of("seconds(hour)"));
  }

  @Override
  public String layout() {
    return keys.format() + ": " + cells.layout;
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(PointTable.of(keys.format(), blocks), keys.table());
  }

  @Override
  public FactWriter<Point> writer(Connection connection) throws IOException {
    return cells == Cells.APPENDED
        ? new OperationWriter<>(connection, PointTable.NAME, point -> append(connection, point))
        : new MutatorWriter<>(connection, PointTable.NAME, point -> put(connection, point));
  }

  private Put put(Connection connection, Point point) throws IOException {
    return new Put(keys.key(connection, point))
        .addColumn(
            PointTable.FAMILY,
            HourCells.qualifier(second(point), point.value()),
            HourCells.value(point.value()));
  }

  private Append append(Connection connection, Point point) throws IOException {
    return new Append(keys.key(connection, point))
        .addColumn(
            PointTable.FAMILY, HourCells.APPENDED, HourCells.appended(second(point), point.value()))
        .setReturnResults(false);
  }

  private static int second(Point point) {
    return (int) (point.time().getEpochSecond() % HOUR);
  }

  /** Joins the cells of all rows. In operation, the job takes hours that are over. */
  @Override
  public void maintain(Connection connection) throws IOException {
    if (cells == Cells.JOINED) {
      new JoinJob(connection, PointTable.NAME, PointTable.FAMILY).run(row -> true);
    }
  }

  @Override
  public List<Point> answer(Connection connection, Span asked) throws IOException {
    Optional<KeyPattern> pattern = keys.pattern(connection, asked);
    if (pattern.isEmpty()) {
      return List.of();
    }
    IoFunction<Result, List<Point>> hour = row -> points(connection, row);
    List<List<Point>> hours =
        asked.latest()
            ? Scans.first(connection, PointTable.NAME, pattern.orElseThrow(), true, 1, hour)
            : Scans.list(connection, PointTable.NAME, pattern.orElseThrow(), hour);
    return asked.sorted(hours.stream().flatMap(List::stream));
  }

  private List<Point> points(Connection connection, Result row) throws IOException {
    List<Point> points = new ArrayList<>();
    for (Map.Entry<Integer, Long> one : HourCells.points(row.listCells()).entrySet()) {
      points.add(keys.point(connection, row.getRow(), one.getKey(), one.getValue()));
    }
    return points;
  }
}
