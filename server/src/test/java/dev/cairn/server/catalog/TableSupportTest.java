package dev.cairn.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.junit.jupiter.api.Test;

/** Tests which of HBase's tables cannot be served, and the messages about them. */
class TableSupportTest {
  private final TableSupport support = new TableSupport(schema -> Optional.empty(), schema -> {});

  @Test
  void anOrdinaryTableIsServed() {
    assertThat(support.refusal(table(Map.of(), Map.of("IS_MOB", "true", "ENCRYPTION", ""))))
        .isEmpty();
    assertThat(support.refusal(table(Map.of("hbase.store.file-tracker.impl", "DEFAULT"), Map.of())))
        .isEmpty();
    assertThat(support.refusal(MetaFormat.schema())).isEmpty();
    assertThat(support.refusal(NamespaceTable.schema())).isEmpty();
  }

  @Test
  void filesThatCannotBeReadAreNamed() {
    assertThat(support.refusal(table(Map.of(), Map.of("ENCRYPTION", "AES"))))
        .hasValueSatisfying(reason -> assertThat(reason).contains("column family f", "encrypted"));
  }

  @Test
  void coprocessorsThatCannotRunAreNotLeftOut() {
    TableSupport without = new TableSupport(schema -> Optional.of("it has hooks"), schema -> {});
    assertThat(without.refusal(table(Map.of(), Map.of()))).hasValue("it has hooks");
  }

  @Test
  void whatTheEngineCannotWriteIsRefusedInItsWords() {
    TableSupport strict =
        new TableSupport(
            schema -> Optional.empty(),
            schema -> {
              throw new IllegalArgumentException("no such codec");
            });
    assertThat(strict.refusal(table(Map.of(), Map.of()))).hasValue("no such codec");
  }

  private static TableSchema table(Map<String, String> attributes, Map<String, String> family) {
    var message =
        TableSchema.of(TableName.parse("t"), FamilySchema.of("f", family)).message().toBuilder();
    attributes.forEach(
        (key, value) ->
            message.addAttributes(
                BytesBytesPair.newBuilder()
                    .setFirst(Messages.wrap(Bytes.utf8(key)))
                    .setSecond(Messages.wrap(Bytes.utf8(value)))));
    return new TableSchema(message.build());
  }
}
