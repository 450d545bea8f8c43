package dev.cairn.engine.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class SchemaTest {
  @Test
  void aFamilyHasTheDefaultsOfHBase() {
    FamilySchema family = FamilySchema.of("f");

    assertThat(family.maxVersions()).isEqualTo(1);
    assertThat(family.minVersions()).isZero();
    assertThat(family.timeToLiveMillis()).isEqualTo(FamilySchema.FOREVER_MILLIS);
    assertThat(family.bloomType()).isEqualTo(FamilySchema.BloomType.ROW);
    assertThat(family.blockSize()).isEqualTo(65536);
    assertThat(family.compression()).isEqualTo("NONE");
  }

  @Test
  void unknownAttributesAreKept() {
    FamilySchema family = FamilySchema.of("f", Map.of("VERSIONS", "3", "SOMETHING_NEW", "x"));
    TableSchema table = TableSchema.of(TableName.parse("ns:t"), family);
    TableSchema read = TableSchema.parse(table.message().toByteArray());

    assertThat(read).isEqualTo(table);
    assertThat(read.family(Bytes.utf8("f")).orElseThrow().attribute("SOMETHING_NEW")).contains("x");
  }

  @Test
  void copiesOfMetaHaveTheNamesOfHBase() {
    assertThat(RegionInfo.META.encodedName()).isEqualTo("1588230740");
    assertThat(RegionInfo.META.isMeta()).isTrue();
    RegionInfo replica = RegionInfo.META.replica(1);
    assertThat(replica.regionNameAsString()).isEqualTo("hbase:meta,,1_0001");
    assertThat(replica.encodedName()).isEqualTo("534574363");
    assertThat(replica.isMeta()).isFalse();
    assertThat(RegionInfo.META.replica(2).encodedName()).isEqualTo("1657623790");
  }

  @Test
  void impossibleValuesAreNamed() {
    assertThatThrownBy(() -> FamilySchema.of("f", Map.of("VERSIONS", "0")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("VERSIONS")
        .hasMessageContaining("f");
    assertThatThrownBy(() -> FamilySchema.of("f", Map.of("BLOOMFILTER", "BLOOM")))
        .hasMessageContaining("BLOOMFILTER");
    assertThatThrownBy(() -> FamilySchema.of("f", Map.of("TTL", "soon")))
        .hasMessageContaining("TTL");
  }

  @Test
  void aTableMayHaveItsOwnSizes() {
    HBaseProtos.TableSchema plain = TableSchema.of(TableName.parse("t")).message();
    assertThat(new TableSchema(plain).maxCellBytes()).isEmpty();
    assertThat(with(plain, "hbase.server.keyvalue.maxsize", "0").maxCellBytes()).hasValue(0);
    assertThat(with(plain, "MEMSTORE_FLUSHSIZE", "1048576").memStoreFlushBytes()).hasValue(1 << 20);
    assertThat(with(plain, "MEMSTORE_FLUSHSIZE", "-1").memStoreFlushBytes()).isEmpty();
    assertThatThrownBy(() -> with(plain, "MEMSTORE_FLUSHSIZE", "much"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("MEMSTORE_FLUSHSIZE");
  }

  private static TableSchema with(HBaseProtos.TableSchema plain, String key, String value) {
    return new TableSchema(
        plain.toBuilder()
            .addAttributes(
                HBaseProtos.BytesBytesPair.newBuilder()
                    .setFirst(ByteString.copyFromUtf8(key))
                    .setSecond(ByteString.copyFromUtf8(value)))
            .build());
  }

  @Test
  void metaHasItsFixedName() {
    assertThat(RegionInfo.META.regionNameAsString()).isEqualTo("hbase:meta,,1");
    assertThat(RegionInfo.META.encodedName()).isEqualTo("1588230740");
  }

  @Test
  void aRegionIsNamedAfterTableStartAndTime() {
    RegionInfo region =
        new RegionInfo(TableName.parse("t"), Bytes.utf8("k"), Bytes.EMPTY, 1234567890123L);

    assertThat(region.regionNameAsString())
        .isEqualTo("t,k,1234567890123." + region.encodedName() + ".");
    assertThat(region.encodedName()).matches("[0-9a-f]{32}");
  }

  @Test
  void aRegionHoldsItsStartAndNotItsEnd() {
    RegionInfo region = new RegionInfo(TableName.parse("t"), Bytes.utf8("b"), Bytes.utf8("d"), 1);

    assertThat(region.contains(Bytes.utf8("a"))).isFalse();
    assertThat(region.contains(Bytes.utf8("b"))).isTrue();
    assertThat(region.contains(Bytes.utf8("czzz"))).isTrue();
    assertThat(region.contains(Bytes.utf8("d"))).isFalse();
  }

  @Test
  void aRegionSurvivesBothOfItsStoredForms() {
    RegionInfo region =
        new RegionInfo(TableName.parse("ns:t"), Bytes.utf8("b"), Bytes.utf8("d"), 17);

    assertThat(RegionInfoFormat.fromFile(RegionInfoFormat.toFile(region))).isEqualTo(region);
    assertThatThrownBy(() -> RegionInfoFormat.fromFile(new byte[] {1, 2, 3, 4, 5, 6}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void namesThatHBaseRefusesAreRefused() {
    for (String name : new String[] {"", "-t", ".t", "a b", "ns:", ":t", "n-s:t", "t/../x"}) {
      assertThatThrownBy(() -> TableName.parse(name))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(TableName.parse("a.b-c_1")).hasToString("a.b-c_1");
    assertThat(TableName.parse("default:t")).hasToString("t");
  }

  @Test
  void everyFlippedBitInARegionsDescriptionIsNoticedOrHarmless() {
    RegionInfo region =
        new RegionInfo(TableName.parse("ns:t"), Bytes.utf8("from"), Bytes.utf8("to"), 1234);
    byte[] good = RegionInfoFormat.toFile(region);
    for (int bit = 0; bit < 8 * good.length; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        assertThat(RegionInfoFormat.fromFile(bad)).as("bit %d", bit).isEqualTo(region);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("description");
      }
    }
  }
}
