package dev.cairn.studies.tall;

import dev.cairn.keys.KeyFormat;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** A row for each user and day, with a column for each item: what were rows are columns now. */
record Middle() implements ItemDesign {
  private static final TableName TABLE = TableName.valueOf("items_middle");
  private static final KeyFormat KEYS = KeyFormat.parse("user string, day timestamp(day) desc");
  private static final KeyFormat QUALIFIERS = KeyFormat.parse("millis uint desc");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int BATCH = 1_000;

  /** How many rows one request reads at least, so that a quiet user's page needs few requests. */
  private static final int DAYS = 5;

  @Override
  public String name() {
    return "middle, rows of a day";
  }

  @Override
  public String layout() {
    return KEYS + ": f:(" + QUALIFIERS + ")";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(NewTable.of(TABLE, FAMILY, KEYS));
  }

  @Override
  public FactWriter<Item> writer(Connection connection) throws IOException {
    return new MutatorWriter<>(
        connection,
        TABLE,
        item ->
            new Put(KEYS.encode(item.user(), item.time()))
                .addColumn(FAMILY, column(item.time()), Bytes.toBytes(item.text())));
  }

  private static byte[] column(Instant time) {
    Instant day = time.truncatedTo(ChronoUnit.DAYS);
    return QUALIFIERS.encode(Duration.between(day, time).toMillis());
  }

  @Override
  public List<Item> one(Connection connection, Ask.One asked) throws IOException {
    Get get =
        new Get(KEYS.encode(asked.user(), asked.time())).addColumn(FAMILY, column(asked.time()));
    try (Table table = connection.getTable(TABLE)) {
      return items(asked.user(), table.get(get));
    }
  }

  private static List<Item> items(String user, Result row) {
    List<Item> items = new ArrayList<>(row.size());
    if (!row.isEmpty()) {
      Instant day = KEYS.decode(row.getRow()).getInstant("day");
      for (Cell cell : row.rawCells()) {
        long millis = QUALIFIERS.decode(CellUtil.cloneQualifier(cell)).getLong("millis");
        String text = Bytes.toString(CellUtil.cloneValue(cell));
        items.add(new Item(user, day.plusMillis(millis), text));
      }
    }
    return items;
  }

  /** Reads rows until the page is full: a filter counts columns of one row only. */
  @Override
  public List<Item> page(Connection connection, Ask.Page asked) throws IOException {
    int wanted = asked.offset() + asked.limit();
    Scan scan = Scans.of(KEYS.range(asked.user()).get(0)).setBatch(Math.min(BATCH, wanted));
    scan.setCaching(wanted / BATCH + DAYS);
    List<Item> items = new ArrayList<>();
    try (Table table = connection.getTable(TABLE);
        ResultScanner rows = table.getScanner(scan)) {
      Result row = rows.next();
      while (row != null) {
        items.addAll(items(asked.user(), row));
        row = items.size() < wanted ? rows.next() : null;
      }
    }
    return items.stream().skip(asked.offset()).limit(asked.limit()).toList();
  }

  @Override
  public List<Item> period(Connection connection, Ask.Period asked) throws IOException {
    var range = KEYS.range(List.of(asked.user()), asked.from(), asked.to()).get(0);
    return items(connection, asked.user(), Scans.of(range)).stream()
        .filter(asked::contains)
        .toList();
  }

  private static List<Item> items(Connection connection, String user, Scan scan)
      throws IOException {
    return Scans.list(connection, TABLE, scan.setBatch(BATCH), row -> items(user, row)).stream()
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public List<Item> all(Connection connection, String user) throws IOException {
    return items(connection, user, Scans.of(KEYS.range(user).get(0)));
  }
}
