package dev.cairn.studies.tall;

import dev.cairn.studies.Scans;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;

/** A column for each item, by programs that read parts of rows. */
record WideParts() implements WideDesign {
  private static final int BATCH = 1_000;

  @Override
  public String name() {
    return "wide, rows read in parts";
  }

  /** The server counts the columns before the page. */
  @Override
  public List<Item> page(Connection connection, Ask.Page asked) throws IOException {
    Get get =
        new Get(WideRows.key(asked.user()))
            .setFilter(new ColumnPaginationFilter(asked.limit(), asked.offset()));
    return WideRows.get(connection, asked.user(), get);
  }

  /** The server goes to the first column. */
  @Override
  public List<Item> period(Connection connection, Ask.Period asked) throws IOException {
    Get get = new Get(WideRows.key(asked.user())).setFilter(WideRows.columns(asked));
    return WideRows.get(connection, asked.user(), get);
  }

  /** Each result is a part of the row, so that neither server nor client holds all of it. */
  @Override
  public List<Item> all(Connection connection, String user) throws IOException {
    byte[] row = WideRows.key(user);
    Scan scan = new Scan().withStartRow(row).withStopRow(row, true).setBatch(BATCH);
    return Scans.list(connection, WideRows.TABLE, scan, part -> WideRows.items(user, part).toList())
        .stream()
        .flatMap(List::stream)
        .toList();
  }
}
