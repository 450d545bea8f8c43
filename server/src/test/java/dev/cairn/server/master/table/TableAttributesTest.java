package dev.cairn.server.master.table;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.SchemaReview;
import dev.cairn.server.config.Verdict;
import dev.cairn.server.split.SplitPolicies;
import dev.cairn.server.split.SplitSettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attributes that HBase's own sanity checks refuse, and let pass. */
class TableAttributesTest {
  @ParameterizedTest
  @CsvSource({
    "TTL, 0",
    "TTL, -1",
    "MIN_VERSIONS, -1",
    "DFS_REPLICATION, -1",
    "IN_MEMORY_COMPACTION, INVALID",
    "BLOCKSIZE, 0",
    "BLOCKSIZE, 134217728"
  })
  void impossibleFamiliesAreRefused(String attribute, String value) {
    assertThatThrownBy(() -> check(family(attribute, value)))
        .isInstanceOf(DoNotRetryIOException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "TTL, 1",
    "TTL, 2147483647",
    "MIN_VERSIONS, 0",
    "DFS_REPLICATION, 0",
    "IN_MEMORY_COMPACTION, BASIC",
    "IN_MEMORY_COMPACTION, none",
    "BLOCKSIZE, 1024"
  })
  void possibleFamiliesAreTaken(String attribute, String value) {
    assertThatCode(() -> check(family(attribute, value))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"SPLIT_POLICY", "hbase.regionserver.region.split.policy"})
  void aSplitPolicyIsOneOfHBasesOrIsExaminedBefore(String attribute) {
    for (String name :
        List.of(
            "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy",
            "com.example.MyPolicy")) {
      assertThatCode(() -> check(table(attribute, name))).doesNotThrowAnyException();
    }
  }

  /** Checks that every attribute that is documented as refused is refused. */
  @Test
  void documentedRefusalsAreEnforced() {
    SchemaReview.tableAttributes().rules().stream()
        .filter(rule -> rule.verdict() == Verdict.REFUSED)
        .map(rule -> rule.name().replace("*", "1"))
        .forEach(name -> assertRefused(table(name, "OTHER"), name));
    SchemaReview.familyAttributes().rules().stream()
        .filter(rule -> rule.verdict() == Verdict.REFUSED)
        .forEach(rule -> assertRefused(family(rule.name(), "OTHER"), rule.name()));
  }

  private static void assertRefused(HBaseProtos.TableSchema message, String attribute) {
    assertThatThrownBy(() -> check(message))
        .as(attribute)
        .isInstanceOf(DoNotRetryIOException.class);
  }

  private static HBaseProtos.TableSchema family(String attribute, String value) {
    HBaseProtos.TableSchema.Builder table = message();
    table.getColumnFamiliesBuilder(0).addAttributes(pair(attribute, value));
    return table.build();
  }

  private static HBaseProtos.TableSchema table(String attribute, String value) {
    return message().addAttributes(pair(attribute, value)).build();
  }

  private static HBaseProtos.TableSchema.Builder message() {
    return TableSchema.of(TableName.parse("t"), FamilySchema.of("f", Map.of()))
        .message()
        .toBuilder();
  }

  private static HBaseProtos.BytesBytesPair pair(String name, String value) {
    return HBaseProtos.BytesBytesPair.newBuilder()
        .setFirst(ByteString.copyFromUtf8(name))
        .setSecond(ByteString.copyFromUtf8(value))
        .build();
  }

  /** Checks the table like the server, which must be able to write its files. */
  private static void checkFiles(TableSchema schema) {
    for (FamilySchema family : schema.families()) {
      HFileOptions.of(family, CellComparator.USER);
      StoreFileTracking.of(schema, family, StoreFileTracking.DEFAULT);
    }
  }

  private static void check(HBaseProtos.TableSchema message) throws IOException {
    TableDescriptorChecker.check(
        TableDescriptorChecker.parse(message),
        new SchemaRules(
            TableAttributesTest::checkFiles,
            true,
            new SplitPolicies(SplitSettings.DEFAULTS),
            new SchemaReview(Set.of()),
            StoreFileTracking.Kind.DEFAULT));
  }
}
