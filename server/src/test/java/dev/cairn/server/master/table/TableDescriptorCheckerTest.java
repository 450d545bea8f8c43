package dev.cairn.server.master.table;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.SchemaReview;
import dev.cairn.server.split.SplitPolicies;
import dev.cairn.server.split.SplitSettings;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a descriptor may say; each refusal names the attribute, or the family, and the limit. */
class TableDescriptorCheckerTest {
  private static final TableName NAME = TableName.parse("t");

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", " 1 "})
  void aReplicationScopeIsKept(String scope) {
    assertThatCode(() -> check(family("REPLICATION_SCOPE", scope))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "global", ""})
  void aReplicationScopeIsANumberFromZeroOn(String scope) {
    assertThatThrownBy(() -> check(family("REPLICATION_SCOPE", scope)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Replication scope for column family f must be 0 or greater");
  }

  @Test
  void aTableMayHaveReplicas() {
    assertThatCode(() -> check(table("REGION_REPLICATION", "3"))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-3", "70000", "many"})
  void aNumberOfReplicasIsPositive(String number) {
    assertThatThrownBy(() -> check(table("REGION_REPLICATION", number)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("REGION_REPLICATION");
  }

  @Test
  void aFlushSizeThatIsFarTooSmallIsRefusedUnlessTheSiteTurnsThatOff() {
    TableSchema small = table("MEMSTORE_FLUSHSIZE", "1024");
    assertThatThrownBy(() -> check(small))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("MEMSTORE_FLUSHSIZE (1024) is too small");
    assertThatCode(() -> check(small, false)).doesNotThrowAnyException();
  }

  private static void check(TableSchema schema) throws IOException {
    check(schema, true);
  }

  private static void check(TableSchema schema, boolean checksSizes) throws IOException {
    TableDescriptorChecker.check(
        schema,
        new SchemaRules(
            any -> {},
            checksSizes,
            new SplitPolicies(SplitSettings.DEFAULTS),
            new SchemaReview(Set.of()),
            StoreFileTracking.Kind.DEFAULT));
  }

  private static TableSchema family(String key, String value) {
    return TableSchema.of(NAME, FamilySchema.of("f", Map.of(key, value)));
  }

  private static TableSchema table(String key, String value) {
    return new TableSchema(
        TableSchema.of(NAME, FamilySchema.of("f")).message().toBuilder()
            .addAttributes(
                HBaseProtos.BytesBytesPair.newBuilder()
                    .setFirst(Messages.wrap(Bytes.utf8(key)))
                    .setSecond(Messages.wrap(Bytes.utf8(value))))
            .build());
  }
}
