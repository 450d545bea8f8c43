package dev.cairn.engine.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import java.util.Map;
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
}
