package dev.cairn.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.config.SettingTable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Tests the warnings about attributes of tables and families without effect. */
class SchemaReviewTest {
  private final SchemaReview review =
      new SchemaReview(Set.of("hbase.hstore.bytes.per.checksum", "hbase.hstore.compaction.min"));

  @Test
  void everyAttributeOfHBasesTablesHasAVerdict() throws Exception {
    SettingTable table = SchemaReview.tableAttributes();
    assertThat(constants(TableDescriptorBuilder.class))
        .contains("MAX_FILESIZE", "NORMALIZATION_ENABLED")
        .allMatch(table::names);
  }

  @Test
  void everyAttributeOfHBasesFamiliesHasAVerdict() throws Exception {
    SettingTable table = SchemaReview.familyAttributes();
    assertThat(constants(ColumnFamilyDescriptorBuilder.class))
        .contains("CACHE_DATA_ON_WRITE", "VERSIONS")
        .allMatch(table::names);
  }

  @Test
  void descriptorsWithHBasesDefaultsHaveNoWarnings() {
    var table =
        TableDescriptorBuilder.newBuilder(org.apache.hadoop.hbase.TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build();
    assertThat(review.warnings(new TableSchema(ProtobufUtil.toTableSchema(table)))).isEmpty();
  }

  @Test
  void anAttributeOfATableWithoutEffectIsNamedWithTheReason() {
    assertThat(review.warnings(table("ERASURE_CODING_POLICY", "XOR-2-1-1024k")))
        .containsExactly(
            "ERASURE_CODING_POLICY = XOR-2-1-1024k has no effect. Cairn sets no attributes of files"
                + " in HDFS: the policies of their directories apply.");
    assertThat(review.warnings(table("PRIORITY", "5"))).isEmpty();
  }

  @Test
  void constraintsAndIndexesHaveNoWarnings() {
    for (String name : List.of("cairn.constraint.f:city", "cairn.index.by_city")) {
      assertThat(SchemaReview.tableAttributes().find(name)).as(name).isPresent();
      assertThat(review.warnings(table(name, "f:city"))).as(name).isEmpty();
    }
  }

  @Test
  void aMalformedFormatOfRowKeysIsNamed() {
    assertThat(review.warnings(table("KEY_FORMAT", "host string"))).isEmpty();
    assertThat(review.warnings(table("KEY_FORMAT", "host strnig")))
        .singleElement()
        .asString()
        .startsWith("KEY_FORMAT is malformed, so row keys are shown as bytes: position 5");
  }

  @Test
  void anAttributeOfAFamilyWithoutEffectIsNamedWithTheFamily() {
    assertThat(review.warnings(family("REPLICATION_SCOPE", "1")))
        .containsExactly(
            "Column family f: REPLICATION_SCOPE = 1 has no effect."
                + " Peers cannot be added, so nothing is replicated.");
    assertThat(review.warnings(family("REPLICATION_SCOPE", "0"))).isEmpty();
  }

  @Test
  void siteKeysThatATableCannotSetAreNamed() {
    assertThat(review.warnings(table("hbase.hstore.bytes.per.checksum", "1024")))
        .containsExactly(
            "hbase.hstore.bytes.per.checksum = 1024 has no effect."
                + " A table cannot set it; set it in hbase-site.xml.");
    assertThat(review.warnings(family("hbase.hstore.compaction.min", "4"))).isEmpty();
    assertThat(
            review.warnings(
                family("hbase.hstore.engine.class", "org.example.DateTieredStoreEngine")))
        .singleElement()
        .asString()
        .contains("Stores always work like HBase's default engine");
  }

  @Test
  void siteKeysInAFamilysConfigurationAreNamed() {
    HBaseProtos.TableSchema.Builder message = message();
    message
        .getColumnFamiliesBuilder(0)
        .addConfiguration(
            HBaseProtos.NameStringPair.newBuilder()
                .setName("hbase.hstore.bytes.per.checksum")
                .setValue("1024"));
    assertThat(review.warnings(new TableSchema(message.build()))).hasSize(1);
  }

  @Test
  void aMisspeltAttributeIsNamed_aUserDefinedOneIsNot() {
    assertThat(review.warnings(table("MAX_FILESZE", "1")))
        .containsExactly("MAX_FILESZE is unknown and has no effect. Did you mean MAX_FILESIZE?");
    assertThat(review.warnings(family("versions", "3")))
        .containsExactly(
            "Column family f: versions is unknown and has no effect. Did you mean VERSIONS?");
    assertThat(review.warnings(family("hbase.hstore.compaction.mim", "4"))).hasSize(1);
    assertThat(review.warnings(table("TEAM", "storage"))).isEmpty();
  }

  @Test
  void systemTablesHaveNoWarnings() {
    assertThat(
            review.warnings(
                TableSchema.of(
                    TableName.META, FamilySchema.of("info", Map.of("REPLICATION_SCOPE", "1")))))
        .isEmpty();
  }

  /** Returns the values of the constants that name attributes. */
  private static List<String> constants(Class<?> builder) throws IllegalAccessException {
    List<String> names = new ArrayList<>();
    for (Field field : builder.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
        String text = (String) field.get(null);
        if (text.matches("[A-Z][A-Z_]+")) {
          names.add(text);
        }
      }
    }
    return names;
  }

  private static TableSchema table(String name, String value) {
    return new TableSchema(message().addAttributes(pair(name, value)).build());
  }

  private static TableSchema family(String name, String value) {
    HBaseProtos.TableSchema.Builder message = message();
    message.getColumnFamiliesBuilder(0).addAttributes(pair(name, value));
    return new TableSchema(message.build());
  }

  private static HBaseProtos.TableSchema.Builder message() {
    return TableSchema.of(TableName.parse("t"), FamilySchema.of("f")).message().toBuilder();
  }

  private static HBaseProtos.BytesBytesPair pair(String name, String value) {
    return HBaseProtos.BytesBytesPair.newBuilder()
        .setFirst(ByteString.copyFromUtf8(name))
        .setSecond(ByteString.copyFromUtf8(value))
        .build();
  }
}
