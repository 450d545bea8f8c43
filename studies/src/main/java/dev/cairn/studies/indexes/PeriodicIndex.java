package dev.cairn.studies.indexes;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyRange;
import dev.cairn.studies.Batches;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A job builds the whole index anew from time to time. Each run writes a generation of entries, and
 * then makes it the current one by a single put; so queries never see a half of it. A generation is
 * deleted when the next but one is complete, so that a query which began with it can end.
 */
record PeriodicIndex() implements Pattern {
  private static final KeyFormat FORMAT =
      KeyFormat.parse("generation uint, city string, user string");

  /** The row that has the number of the current generation; no generation has the number 0. */
  private static final byte[] CURRENT_ROW = FORMAT.range(0).get(0).start();

  private static final byte[] CURRENT = Bytes.toBytes("current");

  @Override
  public String name() {
    return "periodic job";
  }

  @Override
  public String layout() {
    return "users: user: f:city, f:name; users_by_city: generation, city, user: e:name";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(entries(0).table(), new NewTable(UserTable.descriptor().build()));
  }

  private static Entries entries(long generation) {
    return new Entries(FORMAT, List.of(generation));
  }

  @Override
  public Tables open(Connection connection) throws IOException {
    return Tables.open(connection);
  }

  @Override
  public List<Step> steps(Tables tables, List<Move> moves) {
    return List.of(() -> UserTable.write(tables.users(), moves));
  }

  @Override
  public boolean needsMaintenance() {
    return true;
  }

  /** Builds the index anew. */
  @Override
  public void maintain(Connection connection) throws IOException {
    try (Tables tables = Tables.open(connection, Entries.NAME)) {
      long before = current(tables.second());
      // A run that has died may have left entries of this generation.
      delete(tables.second(), before + 1);
      build(tables, entries(before + 1));
      tables
          .second()
          .put(new Put(CURRENT_ROW).addColumn(Entries.FAMILY, CURRENT, Bytes.toBytes(before + 1)));
      if (before > 1) {
        delete(tables.second(), before - 1);
      }
    }
  }

  private static long current(Table index) throws IOException {
    byte[] value = index.get(new Get(CURRENT_ROW)).getValue(Entries.FAMILY, CURRENT);
    return value == null ? 0 : Bytes.toLong(value);
  }

  private static void build(Tables tables, Entries entries) throws IOException {
    Scan cities = Batches.slow(new Scan()).addColumn(UserTable.FAMILY, UserTable.CITY);
    try (ResultScanner users = tables.users().getScanner(cities)) {
      Batches.divide(
          users,
          part -> {
            List<Put> puts = new ArrayList<>();
            for (Result user : part) {
              String id = Bytes.toString(user.getRow());
              UserTable.Home.of(user)
                  .ifPresent(home -> puts.add(entries.put(home.city(), id, home.timestamp())));
            }
            Batches.write(tables.second(), puts);
          });
    }
  }

  private static void delete(Table index, long generation) throws IOException {
    KeyRange range = FORMAT.range(generation).get(0);
    try (ResultScanner rows =
        index.getScanner(Batches.slow(Scans.of(range)).setFilter(new KeyOnlyFilter()))) {
      Batches.divide(
          rows,
          part ->
              Batches.write(index, part.stream().map(row -> new Delete(row.getRow())).toList()));
    }
  }

  @Override
  public List<User> users(Connection connection, String city) throws IOException {
    return entries(current(connection)).users(connection, city);
  }

  @Override
  public long count(Connection connection, String city) throws IOException {
    return entries(current(connection)).count(connection, city);
  }

  private static long current(Connection connection) throws IOException {
    try (Table index = connection.getTable(Entries.NAME)) {
      return current(index);
    }
  }

  @Override
  public void repair(Connection connection, long before) throws IOException {
    maintain(connection);
  }
}
