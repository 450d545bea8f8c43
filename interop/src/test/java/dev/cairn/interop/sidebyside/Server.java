package dev.cairn.interop.sidebyside;

import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.interop.waiting.Eventually;
import dev.cairn.torture.model.Text;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A server, as Apache's client reaches it. Any number of threads, each with tables of its own. */
final class Server implements AutoCloseable {

  /** How far the first times of an opened region are ahead of the clock at most. */
  private static final long AHEAD_MAX_MILLIS = 1_001;

  private static final int LOSSY_RETRIES = 100;

  private final Connection connection;
  private final boolean compactionSwitched;

  /** The connection of reads whose answers may be lost. */
  private final Optional<Connection> lossy;

  /**
   * Connects to a server.
   *
   * @param compactionSwitched whether compactions are switched off but during {@link #keep}, so
   *     that no compaction starts by itself between two steps
   */
  Server(Configuration configuration, boolean compactionSwitched) throws IOException {
    this(configuration, compactionSwitched, Optional.empty());
  }

  private Server(
      Configuration configuration, boolean compactionSwitched, Optional<Connection> lossy)
      throws IOException {
    this.compactionSwitched = compactionSwitched;
    this.lossy = lossy;
    connection = connect(configuration, 3, 10);
  }

  /**
   * Connects to a server, and switches its compactions as the constructor says. Answers to gets and
   * scans may be lost; answers to writes are not, because a repeated write would have two times.
   */
  static Server overLossyWire(Configuration configuration, long seed) throws IOException {
    Configuration ofReads = new Configuration(configuration);
    LossySockets.use(ofReads, seed);
    Connection lossy = connect(ofReads, LOSSY_RETRIES, 1);
    return new Server(configuration, true, Optional.of(lossy));
  }

  private static Connection connect(Configuration configuration, int retries, int pauseMillis)
      throws IOException {
    configuration.set(
        "hbase.client.rpc.codec", "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags");
    configuration.setInt("hbase.client.retries.number", retries);
    configuration.setInt("hbase.client.pause", pauseMillis);
    return ConnectionFactory.createConnection(configuration);
  }

  /** Tells whether answers to reads may be lost, so that a read may fail. */
  boolean isLossy() {
    return lossy.isPresent();
  }

  /** Returns a table for gets and scans. */
  Table ofReads(TableSchema schema) throws IOException {
    return lossy.orElse(connection).getTable(name(schema));
  }

  /**
   * Creates a table.
   *
   * @param without attributes of families that are left out
   */
  Table create(TableSchema schema, Set<String> without) throws IOException {
    TableName name = name(schema);
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(name);
    for (FamilySchema family : schema.families()) {
      ColumnFamilyDescriptorBuilder of = ColumnFamilyDescriptorBuilder.newBuilder(family.name());
      family
          .message()
          .getAttributesList()
          .forEach(
              attribute -> {
                String key = attribute.getFirst().toStringUtf8();
                String value = attribute.getSecond().toStringUtf8();
                if (without.contains(key)) {
                  return;
                }
                if (key.contains(".")) {
                  of.setConfiguration(key, value);
                } else {
                  of.setValue(key, value);
                }
              });
      builder.setColumnFamily(of.build());
    }
    schema
        .message()
        .getAttributesList()
        .forEach(
            attribute ->
                builder.setValue(
                    attribute.getFirst().toByteArray(), attribute.getSecond().toByteArray()));
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(builder.build());
    }
    return connection.getTable(name);
  }

  /** Gives a table other indexes than before. */
  void index(TableSchema schema, Map<String, String> indexes) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor before = admin.getDescriptor(name(schema));
      TableDescriptorBuilder changed = TableDescriptorBuilder.newBuilder(before);
      for (Bytes key : before.getValues().keySet()) {
        if (key.toString().startsWith(TableIndexes.PREFIX)) {
          changed.removeValue(key);
        }
      }
      indexes.forEach(changed::setValue);
      admin.modifyTable(changed.build());
    }
    // A region that opens with times in the future begins with times ahead of the clock.
    long end = System.currentTimeMillis() + AHEAD_MAX_MILLIS;
    Eventually.holds(() -> System.currentTimeMillis() > end, "the clock is at the regions' time");
  }

  /** Deletes a table. */
  void drop(TableSchema schema) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.disableTable(name(schema));
      admin.deleteTable(name(schema));
    }
  }

  /** Works on a table's files, and returns when it is done. */
  void keep(TableSchema schema, Step.Work work) throws IOException, InterruptedException {
    TableName name = name(schema);
    try (Admin admin = connection.getAdmin()) {
      switchCompactions(admin, true);
      switch (work) {
        case FLUSH -> admin.flush(name);
        case COMPACT -> admin.compact(name);
        case MAJOR_COMPACT -> admin.majorCompact(name);
      }
      awaitCompactions(admin, name);
      switchCompactions(admin, false);
      awaitCompactions(admin, name);
    }
  }

  private void switchCompactions(Admin admin, boolean on) throws IOException {
    if (compactionSwitched) {
      admin.compactionSwitch(on, List.of());
    }
  }

  private static void awaitCompactions(Admin admin, TableName name) {
    Eventually.holds(
        () -> admin.getCompactionState(name) == CompactionState.NONE,
        "the compaction of " + name + " ends");
  }

  private static TableName name(TableSchema schema) {
    return TableName.valueOf(Bytes.toBytes(schema.name().toString()));
  }

  @Override
  public void close() throws IOException {
    connection.close();
    if (lossy.isPresent()) {
      lossy.get().close();
    }
  }

  @Override
  public String toString() {
    return Text.show(connection.toString());
  }
}
