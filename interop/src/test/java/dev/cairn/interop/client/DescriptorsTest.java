package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.process.SharedHBase;
import dev.cairn.testing.CairnServer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilySchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableSchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random tables come back from Cairn as from HBase: the same attributes with the same values, which
 * the client prints in the same order. The system properties {@code cairn.seed} and {@code
 * cairn.rounds} (tables) repeat a run, or run others.
 */
class DescriptorsTest {
  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  private static final int TABLES = Integer.getInteger("cairn.rounds", 30);

  /** So many tables are created at a time. */
  private static final int BATCH = 10;

  private final long seed = Long.getLong("cairn.seed", new Random().nextInt(1_000_000_000));
  private final Random random = new Random(seed);

  @Test
  void descriptorsEqualThoseOfHBase() throws Exception {
    try (CairnServer server = CairnServer.start();
        Connection cairn = ConnectionFactory.createConnection(server.configuration());
        Connection hbase = ConnectionFactory.createConnection(HBASE.configuration())) {
      for (int first = 0; first < TABLES; first += BATCH) {
        List<TableDescriptor> tables = new ArrayList<>();
        for (int i = first; i < Math.min(TABLES, first + BATCH); i++) {
          tables.add(table(TableName.valueOf("described_" + seed + "_" + i)));
        }
        create(hbase, tables);
        create(cairn, tables);
        for (TableDescriptor table : tables) {
          compare(table.getTableName(), hbase, cairn);
        }
        delete(hbase, tables);
      }
    }
  }

  private void compare(TableName table, Connection hbase, Connection cairn) throws Exception {
    TableSchema expected = message(hbase, table);
    TableSchema found = message(cairn, table);
    assertThat(sorted(found)).as("seed %d, %s", seed, table).isEqualTo(sorted(expected));
    assertThat(ProtobufUtil.toTableDescriptor(found).toString())
        .as("seed %d, %s", seed, table)
        .isEqualTo(ProtobufUtil.toTableDescriptor(expected).toString());
  }

  /** Returns the message with sorted attributes; HBase sends them in the order of a hash table. */
  private static TableSchema sorted(TableSchema message) {
    TableSchema.Builder table = message.toBuilder();
    table.clearAttributes().addAllAttributes(sorted(message.getAttributesList()));
    for (ColumnFamilySchema.Builder family : table.getColumnFamiliesBuilderList()) {
      List<BytesBytesPair> attributes = sorted(family.getAttributesList());
      List<NameStringPair> configuration =
          family.getConfigurationList().stream()
              .sorted(Comparator.comparing(NameStringPair::getName))
              .toList();
      family.clearAttributes().addAllAttributes(attributes);
      family.clearConfiguration().addAllConfiguration(configuration);
    }
    return table.build();
  }

  private static List<BytesBytesPair> sorted(List<BytesBytesPair> attributes) {
    return attributes.stream()
        .sorted(Comparator.comparing(pair -> pair.getFirst().toStringUtf8()))
        .toList();
  }

  private static void create(Connection connection, List<TableDescriptor> tables) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      List<Future<Void>> created = new ArrayList<>();
      for (TableDescriptor table : tables) {
        created.add(admin.createTableAsync(table));
      }
      for (Future<Void> one : created) {
        one.get();
      }
    }
  }

  private static void delete(Connection connection, List<TableDescriptor> tables) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      List<Future<Void>> disabled = new ArrayList<>();
      for (TableDescriptor table : tables) {
        disabled.add(admin.disableTableAsync(table.getTableName()));
      }
      for (Future<Void> one : disabled) {
        one.get();
      }
      for (TableDescriptor table : tables) {
        admin.deleteTableAsync(table.getTableName());
      }
    }
  }

  /** Returns the descriptor as the server sends it. */
  private static TableSchema message(Connection connection, TableName table) throws Exception {
    MasterService.BlockingInterface master = ((ClusterConnection) connection).getMaster();
    return master
        .getTableDescriptors(null, RequestConverter.buildGetTableDescriptorsRequest(table))
        .getTableSchema(0);
  }

  private TableDescriptor table(TableName name) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    int families = 1 + random.nextInt(4);
    for (int i = 0; i < families; i++) {
      table.setColumnFamily(family("zfAc".charAt(i) + "" + random.nextInt(10)));
    }
    sometimes(() -> table.setMaxFileSize((10L << 20) + random.nextInt(1 << 30)));
    sometimes(() -> table.setMemStoreFlushSize((2L << 20) + random.nextInt(1 << 20)));
    sometimes(() -> table.setReadOnly(random.nextBoolean()));
    sometimes(() -> table.setDurability(any(Durability.values())));
    sometimes(() -> table.setCompactionEnabled(random.nextBoolean()));
    sometimes(() -> table.setSplitEnabled(random.nextBoolean()));
    sometimes(() -> table.setMergeEnabled(random.nextBoolean()));
    sometimes(() -> table.setNormalizationEnabled(random.nextBoolean()));
    sometimes(() -> table.setNormalizerTargetRegionCount(1 + random.nextInt(9)));
    sometimes(() -> table.setNormalizerTargetRegionSize(1 + random.nextInt(9)));
    sometimes(() -> table.setPriority(random.nextInt(100)));
    sometimes(() -> table.setRegionMemStoreReplication(random.nextBoolean()));
    sometimes(
        () ->
            table.setRegionSplitPolicyClassName(
                "org.apache.hadoop.hbase.regionserver."
                    + any("ConstantSizeRegionSplitPolicy", "DisabledRegionSplitPolicy")));
    sometimes(
        () ->
            table.setFlushPolicyClassName(
                "org.apache.hadoop.hbase.regionserver.FlushAllStoresPolicy"));
    sometimes(() -> table.setValue("OWNER", "somebody"));
    sometimes(() -> table.setValue("aaa", "a value"));
    sometimes(() -> table.setValue("zzz.key", ""));
    sometimes(() -> table.setValue("hbase.hstore.compaction.min", "" + (2 + random.nextInt(9))));
    sometimes(() -> table.setValue("hbase.store.file-tracker.impl", any("FILE", "DEFAULT")));
    return table.build();
  }

  private ColumnFamilyDescriptor family(String name) {
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(toBytes(name));
    sometimes(() -> family.setMaxVersions(3 + random.nextInt(5)));
    sometimes(() -> family.setMaxVersions(3).setMinVersions(random.nextInt(3)));
    sometimes(() -> family.setTimeToLive(1 + random.nextInt(1 << 20)));
    sometimes(() -> family.setBlocksize(1024 << random.nextInt(8)));
    sometimes(() -> family.setBloomFilterType(any(BloomType.NONE, BloomType.ROWCOL)));
    sometimes(() -> family.setCompressionType(Compression.Algorithm.GZ));
    sometimes(() -> family.setCompactionCompressionType(Compression.Algorithm.GZ));
    sometimes(() -> family.setDataBlockEncoding(any(DataBlockEncoding.values())));
    sometimes(() -> family.setInMemory(random.nextBoolean()));
    sometimes(() -> family.setInMemoryCompaction(any(MemoryCompactionPolicy.values())));
    sometimes(() -> family.setKeepDeletedCells(any(KeepDeletedCells.values())));
    sometimes(() -> family.setMobEnabled(true).setMobThreshold(1 + random.nextInt(1000)));
    sometimes(() -> family.setNewVersionBehavior(random.nextBoolean()));
    sometimes(() -> family.setScope(random.nextInt(2)));
    sometimes(() -> family.setBlockCacheEnabled(random.nextBoolean()));
    sometimes(() -> family.setCacheDataOnWrite(random.nextBoolean()));
    sometimes(() -> family.setEvictBlocksOnClose(random.nextBoolean()));
    sometimes(() -> family.setPrefetchBlocksOnOpen(random.nextBoolean()));
    sometimes(() -> family.setDFSReplication((short) random.nextInt(4)));
    sometimes(() -> family.setValue("OWN", "kept"));
    sometimes(() -> family.setConfiguration("some.key", "some value"));
    sometimes(() -> family.setConfiguration("hbase.hstore.blockingStoreFiles", "17"));
    sometimes(() -> family.setConfiguration("hbase.store.file-tracker.impl", "FILE"));
    return family.build();
  }

  private void sometimes(Runnable setting) {
    if (random.nextInt(4) == 0) {
      setting.run();
    }
  }

  @SafeVarargs
  private <T> T any(T... values) {
    return values[random.nextInt(values.length)];
  }
}
