package dev.cairn.studies.tsdb;

import dev.cairn.keys.KeyPattern;
import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.IoFunction;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import dev.cairn.studies.tsdb.PointTable.Blocks;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** A row for each point. */
record PointRows(String name, Blocks blocks, SeriesKeys keys) implements Design<Point, Span> {
  private static final byte[] VALUE = Bytes.toBytes("v");

  static PointRows of(String name, Blocks blocks) {
    return new PointRows(name, blocks, SeriesKeys.of("seconds"));
  }

  @Override
  public String layout() {
    return keys.format() + ": t:v";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(PointTable.of(keys.format(), blocks), keys.table());
  }

  @Override
  public FactWriter<Point> writer(Connection connection) throws IOException {
    return new MutatorWriter<>(
        connection,
        PointTable.NAME,
        point ->
            new Put(keys.key(connection, point))
                .addColumn(PointTable.FAMILY, VALUE, HourCells.value(point.value())));
  }

  @Override
  public List<Point> answer(Connection connection, Span asked) throws IOException {
    Optional<KeyPattern> pattern = keys.pattern(connection, asked);
    if (pattern.isEmpty()) {
      return List.of();
    }
    IoFunction<Result, Point> point =
        row ->
            keys.point(
                connection,
                row.getRow(),
                0,
                HourCells.number(row.getValue(PointTable.FAMILY, VALUE)));
    List<Point> points =
        asked.latest()
            ? Scans.first(connection, PointTable.NAME, pattern.orElseThrow(), true, 1, point)
            : Scans.list(connection, PointTable.NAME, pattern.orElseThrow(), point);
    return asked.sorted(points.stream());
  }
}
