package dev.cairn.bench.load;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Scans a whole table with HBase's default settings, again and again; an operation is a row. */
final class FullScanTask implements Task {
  private final Table table;
  private ResultScanner rows;

  FullScanTask(Table table) throws IOException {
    this.table = table;
    this.rows = table.getScanner(new Scan());
  }

  @Override
  public boolean next(Done done) throws IOException {
    Result row = rows.next();
    done.was("row", row == null ? 0 : 1, 0);
    if (row == null) {
      rows.close();
      rows = table.getScanner(new Scan());
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    rows.close();
    table.close();
  }
}
