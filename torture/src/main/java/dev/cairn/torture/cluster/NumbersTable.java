package dev.cairn.torture.cluster;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.server.catalog.Messages;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableResponse;

/** Describes the table in which clients store numbers. */
final class NumbersTable {
  static final TableName NAME = TableName.parse("t");

  /** The attribute that has the number of the last alter; a known one, so nothing warns of it. */
  private static final String ALTER = "OWNER";

  /** Some compactions merge more than this, so servers use both of their compaction queues. */
  private static final String LARGE_COMPACTION_BYTES = "8000";

  /** The number of an alter after which regions have no replicas. */
  private static final long ALTER_TO_ONE_COPY = 4;

  private NumbersTable() {}

  /** Creates the table, with four regions, which have replicas. */
  static void create(ClusterClient client, Duration patience) throws IOException {
    create(client, 0, patience);
  }

  /** Creates the table, with four regions without replicas. */
  static void createWithoutReplicas(ClusterClient client, Duration patience) throws IOException {
    create(client, ALTER_TO_ONE_COPY, patience);
  }

  private static void create(ClusterClient client, long alter, Duration patience)
      throws IOException {
    CreateTableRequest.Builder request =
        CreateTableRequest.newBuilder().setTableSchema(schema(alter));
    for (String key : List.of("25", "50", "75")) {
      request.addSplitKeys(Messages.wrap(Bytes.utf8(key)));
    }
    client.callMaster(
        "CreateTable", request.build(), CreateTableResponse.getDefaultInstance(), patience);
  }

  /** Returns the table's descriptor after an alter. */
  static HBaseProtos.TableSchema schema(long alter) {
    HBaseProtos.TableSchema.Builder schema = HBaseProtos.TableSchema.newBuilder();
    indexes(alter)
        .forEach(
            (name, columns) ->
                schema.addAttributes(
                    HBaseProtos.BytesBytesPair.newBuilder()
                        .setFirst(Messages.wrap(Bytes.utf8(TableIndexes.PREFIX + name)))
                        .setSecond(Messages.wrap(Bytes.utf8(columns)))));
    return schema
        .setTableName(Messages.message(NAME))
        .addAttributes(
            HBaseProtos.BytesBytesPair.newBuilder()
                .setFirst(Messages.wrap(Bytes.utf8(ALTER)))
                .setSecond(Messages.wrap(Bytes.utf8(Long.toString(alter)))))
        .addAttributes(
            HBaseProtos.BytesBytesPair.newBuilder()
                .setFirst(Messages.wrap(Bytes.utf8(StoreSettings.THROTTLE_KEY)))
                .setSecond(Messages.wrap(Bytes.utf8(LARGE_COMPACTION_BYTES))))
        .addAttributes(
            HBaseProtos.BytesBytesPair.newBuilder()
                .setFirst(Messages.wrap(Bytes.utf8("REGION_REPLICATION")))
                .setSecond(Messages.wrap(Bytes.utf8(Integer.toString(copies(alter))))))
        .addColumnFamilies(
            HBaseProtos.ColumnFamilySchema.newBuilder().setName(Messages.wrap(RowCalls.FAMILY)))
        .addColumnFamilies(
            HBaseProtos.ColumnFamilySchema.newBuilder()
                .setName(Messages.wrap(RowCalls.SECOND_FAMILY)))
        .build();
  }

  /** Returns the columns of each index after an alter: one creates, changes or drops an index. */
  static Map<String, String> indexes(long alter) {
    return switch ((int) (alter % 5)) {
      case 1 -> Map.of("i", "f:n, g:n");
      case 2 -> Map.of("i", "g:n", "j", "f:n");
      case 3 -> Map.of();
      default -> Map.of("i", "f:n");
    };
  }

  /** Returns the copies of each region after an alter: usually a replica beside the region. */
  static int copies(long alter) {
    return alter % 9 == ALTER_TO_ONE_COPY ? 1 : alter % 9 == 7 ? 3 : 2;
  }

  /** Returns the number of the alter that wrote this descriptor. */
  static long alter(HBaseProtos.TableSchema schema) {
    return schema.getAttributesList().stream()
        .filter(pair -> pair.getFirst().toStringUtf8().equals(ALTER))
        .mapToLong(pair -> Long.parseLong(pair.getSecond().toStringUtf8()))
        .findFirst()
        .orElse(0);
  }
}
