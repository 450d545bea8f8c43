package dev.cairn.engine.region.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The greatest cell of a table, between its own limit, the server's and the heap's. */
class CellSizeLimitTest {
  @ParameterizedTest
  @CsvSource({
    // server, heap, table, limit
    "10, 100,    , 10",
    "10,   5,    ,  5",
    " 0,   5,    ,  5",
    "10, 100,  20, 20",
    "10,  15,  20, 15",
    "10,  15,   0, 15",
    " 0,  15,  12, 12",
  })
  void theTablesLimitIsTheServersOrItsOwn_butAtMostTheHeaps(
      long server, long heap, String table, long limit) {
    CellSizeLimit limits = new CellSizeLimit(server, heap);
    TableSchema schema = schema(table);
    assertThat(limits.bytes(schema)).isEqualTo(limit);
    assertThat(limits.forTable(schema).bytes()).isEqualTo(limit);
    RegionSettings settings =
        new RegionSettings(
                1 << 20, 4, 1_000, limits, RegionSettings.ANY_TIMESTAMP, FlushSettings.DEFAULTS)
            .forTable(schema);
    assertThat(settings.cellSize().bytes()).as("of the table's regions").isEqualTo(limit);
  }

  private static TableSchema schema(String limit) {
    HBaseProtos.TableSchema.Builder message =
        TableSchema.of(TableName.parse("t"), FamilySchema.of("f")).message().toBuilder();
    if (limit != null) {
      message.addAttributes(
          BytesBytesPair.newBuilder()
              .setFirst(ByteString.copyFromUtf8("hbase.server.keyvalue.maxsize"))
              .setSecond(ByteString.copyFromUtf8(limit)));
    }
    return new TableSchema(message.build());
  }
}
