package dev.cairn.studies;

import dev.cairn.keys.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Scans that make a list of their rows. */
public final class Scans {
  private Scans() {}

  /** Returns a scan of a range of rows. */
  public static Scan of(KeyRange range) {
    Scan scan = new Scan().withStartRow(range.start());
    return range.stop().length == 0 ? scan : scan.withStopRow(range.stop());
  }

  /** Returns a value for each row of a scan. */
  public static <T> List<T> list(
      Connection connection, TableName table, Scan scan, Function<Result, T> value)
      throws IOException {
    List<T> values = new ArrayList<>();
    try (Table opened = connection.getTable(table);
        ResultScanner rows = opened.getScanner(scan)) {
      for (Result row : rows) {
        values.add(value.apply(row));
      }
    }
    return values;
  }
}
