package dev.cairn.studies.indexes;

import dev.cairn.keys.KeyValues;
import dev.cairn.studies.Batches;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Compares the index with the rows, and mends the index: writes the entries that rows lack, and
 * deletes those that no row has. Reads both tables once. Clients may write meanwhile. One thread.
 */
final class IndexRepair {
  private final Connection connection;
  private final long before;
  private long missing;
  private long wrong;

  /**
   * Creates it.
   *
   * @param before the timestamp of the oldest move that may be in progress. What later moves have
   *     written is left alone, because their entries may precede their rows.
   */
  IndexRepair(Connection connection, long before) {
    this.connection = connection;
    this.before = before;
  }

  /** Mends the index. */
  void run() throws IOException {
    try (Tables tables = Tables.open(connection, Entries.NAME);
        ResultScanner users =
            tables
                .users()
                .getScanner(Batches.slow(new Scan()).addColumn(UserTable.FAMILY, UserTable.CITY));
        ResultScanner entries = tables.second().getScanner(Batches.slow(new Scan()))) {
      Batches.divide(users, part -> addMissing(part, tables.second()));
      Batches.divide(entries, part -> deleteWrong(part, tables));
    }
  }

  private void addMissing(List<Result> users, Table index) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (Result user : users) {
      String id = Bytes.toString(user.getRow());
      UserTable.Home.of(user)
          .filter(home -> home.timestamp() < before)
          .ifPresent(home -> puts.add(Entries.PLAIN.put(home.city(), id, home.timestamp())));
    }
    boolean[] exist = index.exists(puts.stream().map(put -> new Get(put.getRow())).toList());
    List<Put> lacking = new ArrayList<>();
    for (int i = 0; i < exist.length; i++) {
      if (!exist[i]) {
        lacking.add(puts.get(i));
      }
    }
    Batches.write(index, lacking);
    missing += lacking.size();
  }

  private void deleteWrong(List<Result> entries, Tables tables) throws IOException {
    List<String> ids = entries.stream().map(entry -> key(entry).getString("user")).toList();
    Map<String, Result> rows =
        List.of(tables.users().get(UserTable.cityGets(ids.stream().distinct().toList()))).stream()
            .filter(row -> !row.isEmpty())
            .collect(Collectors.toMap(row -> Bytes.toString(row.getRow()), Function.identity()));
    List<Delete> deletes = new ArrayList<>();
    for (Result entry : entries) {
      KeyValues key = key(entry);
      Optional<String> city =
          Optional.ofNullable(rows.get(key.getString("user")))
              .flatMap(UserTable.Home::of)
              .map(UserTable.Home::city);
      long timestamp = entry.rawCells()[0].getTimestamp();
      if (timestamp < before && !city.equals(Optional.of(key.getString("city")))) {
        deletes.add(Entries.delete(entry.getRow(), timestamp));
      }
    }
    Batches.write(tables.second(), deletes);
    wrong += deletes.size();
  }

  private static KeyValues key(Result entry) {
    return Entries.PLAIN.format().decode(entry.getRow());
  }

  /** Returns how many entries were missing. */
  long missing() {
    return missing;
  }

  /** Returns how many entries were wrong. */
  long wrong() {
    return wrong;
  }
}
