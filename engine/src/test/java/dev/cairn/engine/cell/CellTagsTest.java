package dev.cairn.engine.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CellTagsTest {
  private static final byte[] OTHER = {0, 3, 42, 1, 2};

  @Test
  void aTimeToLiveIsFoundAmongOtherTags() {
    assertThat(ttl(Bytes.EMPTY)).isEqualTo(Long.MAX_VALUE);
    assertThat(ttl(OTHER)).isEqualTo(Long.MAX_VALUE);
    assertThat(ttl(CellTags.withTtl(OTHER, 1234))).isEqualTo(1234);
  }

  @Test
  void aNewTimeToLiveReplacesTheOld() {
    byte[] old = Bytes.concat(CellTags.withTtl(Bytes.EMPTY, 1), OTHER);
    assertThat(CellTags.withTtl(old, 2)).isEqualTo(CellTags.withTtl(OTHER, 2));
  }

  @Test
  void whatBuildsOnAnOlderCellKeepsItsTags_butNotItsTimeToLiveIfItHasItsOwn() {
    byte[] older = CellTags.withTtl(OTHER, 1);
    byte[] own = CellTags.withTtl(Bytes.EMPTY, 2);
    assertThat(CellTags.carriedForward(Bytes.EMPTY, older)).isEqualTo(older);
    assertThat(CellTags.carriedForward(OTHER, older)).isEqualTo(Bytes.concat(OTHER, older));
    assertThat(CellTags.carriedForward(own, older)).isEqualTo(Bytes.concat(own, OTHER));
  }

  @Test
  void malformedTagsHoldNoTimeToLive() {
    assertThat(ttl(new byte[] {0})).isEqualTo(Long.MAX_VALUE);
    assertThat(ttl(new byte[] {0, 0, 8})).isEqualTo(Long.MAX_VALUE);
    assertThat(ttl(new byte[] {0, 9, 8, 1})).isEqualTo(Long.MAX_VALUE);
  }

  private static long ttl(byte[] tags) {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8("r"), Bytes.utf8("f"), Bytes.EMPTY, 1, CellType.PUT.code(), Bytes.EMPTY, tags);
    return CellTags.ttlMillis(cells.get(0));
  }

  @Test
  void tagsAreFoundByTheirType() {
    byte[] tags = Bytes.concat(CellTags.tag(5, Bytes.EMPTY), CellTags.tag(6, Bytes.utf8("t")));
    assertThat(tags).containsExactly(0, 1, 5, 0, 2, 6, 't');
    Cell cell = Cell.of(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.EMPTY, 1, 4, Bytes.EMPTY, tags, 0);

    assertThat(CellTags.has(cell, CellTags.MOB_REFERENCE)).isTrue();
    assertThat(CellTags.value(cell, CellTags.MOB_REFERENCE)).contains(Bytes.EMPTY);
    assertThat(CellTags.value(cell, CellTags.MOB_TABLE_NAME)).contains(Bytes.utf8("t"));
    assertThat(CellTags.value(cell, 7)).isEmpty();
    assertThat(CellTags.has(Cell.firstOnRow(Bytes.utf8("r")), 5)).isFalse();
  }
}
