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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the limits of descriptors; each refusal names the attribute, or the family, and the limit.
 */
class TableDescriptorCheckerTest {
  private static final TableName NAME = TableName.parse("t");

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", " 1 "})
  void aReplicationScopeIsKept(String scope) {
    assertThatCode(() -> check(family("REPLICATION_SCOPE", scope))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "2"})
  void aReplicationScopeIsZeroOrOne(String scope) {
    assertThatThrownBy(() -> check(family("REPLICATION_SCOPE", scope)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(
            "Replication scope for column family f is " + scope + " which is invalid.");
    assertThatCode(() -> check(family("REPLICATION_SCOPE", scope), false))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"global", ""})
  void aReplicationScopeIsANumber(String scope) {
    assertThatThrownBy(() -> check(family("REPLICATION_SCOPE", scope), false))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Replication scope for column family f must be 0 or 1");
  }

  @Test
  void numbersThatNoServerCouldWorkWithAreRefusedInHBasesWords() {
    assertThatThrownBy(() -> parse("TTL", "0"))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("TTL for column family f must be positive.");
    assertThatThrownBy(() -> parse("MIN_VERSIONS", "-1"))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("Min versions for column family f  must be positive.");
    assertThatThrownBy(() -> parse("MIN_VERSIONS", "2"))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("Min versions for column family f must be less than the Max versions.");
  }

  private static void parse(String key, String value) throws IOException {
    HBaseProtos.TableSchema.Builder message =
        TableSchema.of(NAME, FamilySchema.of("f")).message().toBuilder();
    message
        .getColumnFamiliesBuilder(0)
        .addAttributes(
            HBaseProtos.BytesBytesPair.newBuilder()
                .setFirst(Messages.wrap(Bytes.utf8(key)))
                .setSecond(Messages.wrap(Bytes.utf8(value))));
    TableDescriptorChecker.parse(message.build());
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
        .hasMessageMatching(".*(REGION_REPLICATION|region replication should be at least one).*");
  }

  @Test
  void aConstraintThatIsMalformedIsRefusedWithItsColumnAndTable() {
    assertThatThrownBy(() -> check(table("cairn.constraint.f:a", "type long; range 2..1")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage(
            "cairn.constraint.f:a: the rule \"range 2..1\" is malformed: the range is empty, in"
                + " table t");
    assertThatCode(() -> check(table("cairn.constraint.f:a", "type long; range 1..2")))
        .doesNotThrowAnyException();
  }

  @Test
  void aFormatOfKeysThatIsMalformedIsRefusedWithItsPosition() {
    assertThatThrownBy(() -> check(table("KEY_FORMAT", "host string, time lnog")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageStartingWith(
            "KEY_FORMAT of table t: position 18, part 2 (time): unknown type lnog; the types are");
    assertThatCode(() -> check(table("KEY_FORMAT", "host string, time long desc")))
        .doesNotThrowAnyException();
  }

  @Test
  void aMalformedFormatOfKeysThatTheTableHasDoesNotHinderOtherChanges() {
    TableSchema present = table("KEY_FORMAT", "host strnig");
    TableSchema other = table("KEY_FORMAT", "host strin");
    TableSchema none = table("MAX_FILESIZE", "10737418240");
    assertThatCode(() -> change(present, present)).doesNotThrowAnyException();
    assertThatCode(() -> change(present, none)).doesNotThrowAnyException();
    assertThatThrownBy(() -> change(present, other)).hasMessageStartingWith("KEY_FORMAT of table");
    assertThatThrownBy(() -> change(none, present)).hasMessageStartingWith("KEY_FORMAT of table");
    assertThatThrownBy(() -> change(present, table("MAX_FILESIZE", "many")))
        .isInstanceOf(DoNotRetryIOException.class);
  }

  @Test
  void tablesOfTheSystemHaveNoConstraints() {
    TableSchema system =
        table("cairn.constraint.f:a", "type long").named(TableName.parse("hbase:t"));
    assertThatThrownBy(() -> check(system))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("A table of the system has no constraints: hbase:t");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "i | a | the column a has no family: write FAMILY:QUALIFIER",
        "i | f:a, g:b | the table has no family g",
        "i | f:a, f:\\x61 | it names the column f:a twice",
        "i | f:\\x6 | a backslash begins \\xHH; itself it is \\x5C",
        "a b | f:a | the name of an index begins with a letter or _, and has letters, digits, _ and -"
            + " only"
      })
  void anIndexThatIsMalformedIsRefusedWithItsNameAndTable(
      String index, String columns, String reason) {
    assertThatThrownBy(() -> check(table("cairn.index." + index, columns)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("cairn.index." + index + ": " + reason + ", in table t");
  }

  @Test
  void anIndexMayHaveSeveralColumns() {
    assertThatCode(() -> check(table("cairn.index.i", "f:a, f:b, f:"))).doesNotThrowAnyException();
  }

  @Test
  void valuesInMobFilesHaveNoIndex() {
    TableSchema mob = family("IS_MOB", "true").with("cairn.index.i", "f:a");
    assertThatThrownBy(() -> check(mob))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage(
            "cairn.index.i: the column f:a cannot be indexed, because IS_MOB of its family is true,"
                + " in table t");
  }

  @Test
  void tablesOfTheSystemHaveNoIndexes() {
    TableSchema system = table("cairn.index.i", "f:a").named(TableName.parse("hbase:t"));
    assertThatThrownBy(() -> check(system))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("A table of the system has no indexes: hbase:t");
  }

  @Test
  void aFlushSizeThatIsFarTooSmallIsRefusedUnlessTheSiteTurnsThatOff() {
    TableSchema small = table("MEMSTORE_FLUSHSIZE", "1024");
    assertThatThrownBy(() -> check(small))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("\"hbase.hregion.memstore.flush.size\" (1024) is too small");
    assertThatCode(() -> check(small, false)).doesNotThrowAnyException();
  }

  private static SchemaRules rules(boolean checksSizes) {
    return new SchemaRules(
        any -> {},
        checksSizes,
        new SplitPolicies(SplitSettings.DEFAULTS),
        new SchemaReview(Set.of()),
        StoreFileTracking.Kind.DEFAULT);
  }

  private static void change(TableSchema present, TableSchema wanted) throws IOException {
    TableDescriptorChecker.checkChange(present, wanted, rules(true));
  }

  private static void check(TableSchema schema) throws IOException {
    check(schema, true);
  }

  private static void check(TableSchema schema, boolean checksSizes) throws IOException {
    TableDescriptorChecker.check(schema, rules(checksSizes));
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
