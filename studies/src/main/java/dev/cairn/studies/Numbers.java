package dev.cairn.studies;

import dev.cairn.keys.client.UidTable;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * The numbers that a design has for names. What {@link UidTable} remembers lasts as long as the
 * connection, as in a program that makes one connection. Safe for use by several threads.
 */
public final class Numbers {
  private final TableName table;

  // Guarded by this.
  private Optional<Connection> connection = Optional.empty();
  private Optional<UidTable> numbers = Optional.empty();

  /** Creates it, without the table. */
  public Numbers(TableName table) {
    this.table = table;
  }

  /** Returns the table that is to be made, as {@link UidTable#create} makes it. */
  public NewTable table() {
    return new NewTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("id"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("name"))
            .build());
  }

  /** Returns the numbers, with those of this connection remembered. */
  public synchronized UidTable of(Connection used) {
    if (connection.filter(known -> known == used).isEmpty()) {
      connection = Optional.of(used);
      numbers = Optional.of(new UidTable(used, table));
    }
    return numbers.orElseThrow();
  }
}
