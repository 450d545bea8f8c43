package dev.cairn.studies.list;

import dev.cairn.keys.KeyFormat;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A row for each value. Values go by deletes, or by themselves after a time to live. So that a
 * measurement need not wait for it, values that are added for a while then get a timestamp of long
 * ago, and have expired when they are stored.
 */
record RowForValue(Removal removal) implements BlindDesign {
  /** How values go. */
  enum Removal {
    DELETES,
    FAMILY_TTL,
    CELL_TTL
  }

  private static final Duration TTL = Duration.ofDays(30);
  private static final Duration AGE = Duration.ofDays(31);
  private static final TableName TABLE = TableName.valueOf("lists_rows");
  private static final KeyFormat KEYS = KeyFormat.parse("user string, value ulong desc");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] NOTHING = new byte[0];

  static RowForValue withDeletes() {
    return new RowForValue(Removal.DELETES);
  }

  static RowForValue withFamilyTtl() {
    return new RowForValue(Removal.FAMILY_TTL);
  }

  static RowForValue withCellTtl() {
    return new RowForValue(Removal.CELL_TTL);
  }

  @Override
  public String name() {
    return switch (removal) {
      case DELETES -> "a row for each value";
      case FAMILY_TTL -> "rows, TTL of the family";
      case CELL_TTL -> "rows, TTL of each cell";
    };
  }

  @Override
  public String layout() {
    return KEYS + ": f:";
  }

  @Override
  public TableName table() {
    return TABLE;
  }

  @Override
  public List<NewTable> tables(long facts) {
    long seconds = removal == Removal.FAMILY_TTL ? TTL.toSeconds() : HConstants.FOREVER;
    var family =
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
            .setTimeToLive(Math.toIntExact(seconds))
            .build();
    return List.of(NewTable.of(TABLE, family, KEYS));
  }

  @Override
  public Optional<Mutation> mutation(Change change) {
    byte[] row = KEYS.encode(change.user(), change.value());
    if (change.isRemoval()) {
      return removal == Removal.DELETES
          ? Optional.of(new Delete(row, change.time()))
          : Optional.empty();
    }
    Put put = new Put(row);
    if (removal == Removal.DELETES) {
      return Optional.of(put.addColumn(FAMILY, NOTHING, change.time(), NOTHING));
    }
    if (change.kind() == Change.Kind.ADD) {
      return Optional.of(put.addColumn(FAMILY, NOTHING, NOTHING));
    }
    long time = System.currentTimeMillis() - AGE.toMillis();
    put.addColumn(FAMILY, NOTHING, time, NOTHING);
    return Optional.of(removal == Removal.CELL_TTL ? put.setTTL(TTL.toMillis()) : put);
  }

  @Override
  public List<Long> latest(Connection connection, String user, int limit) throws IOException {
    Scan scan = Scans.of(KEYS.range(user).get(0));
    if (limit < Integer.MAX_VALUE) {
      scan.setLimit(limit);
    }
    return Scans.list(connection, TABLE, scan, row -> KEYS.decode(row.getRow()).getLong("value"));
  }

  @Override
  public boolean contains(Connection connection, String user, long value) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      return table.exists(new Get(KEYS.encode(user, value)));
    }
  }
}
