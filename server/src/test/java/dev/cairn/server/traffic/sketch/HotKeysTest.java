package dev.cairn.server.traffic.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.traffic.sketch.SpaceSaving.HeavyKey;
import java.util.SplittableRandom;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class HotKeysTest {
  private final SplittableRandom random = new SplittableRandom(7);

  @Test
  void findsAHotRowAmongManyColdOnes() {
    HotKeys hot = new HotKeys();
    for (int i = 0; i < 20_000; i++) {
      hot.add(Bytes.utf8("user" + random.nextInt(1_000_000)), 1);
      if (i % 4 == 0) {
        hot.add(Bytes.utf8("celebrity"), 1);
      }
    }
    HeavyKey<ByteString> first = hot.rows(5).get(0);
    assertThat(first.key().toStringUtf8()).isEqualTo("celebrity");
    assertThat(first.count()).isBetween(5_000.0, 5_000 + hot.total() / HotKeys.ROWS);
  }

  @Test
  void findsAHotPrefixAndNamesItsLongestForm() {
    HotKeys hot = new HotKeys();
    for (int i = 0; i < 20_000; i++) {
      String tenant = i % 2 == 0 ? "tenant-7" : "tenant-" + (char) ('a' + random.nextInt(26));
      hot.add(Bytes.utf8(tenant + String.format("%08d", random.nextInt(100_000_000))), 1);
    }
    // "t", "te" and "tena" are shared by all rows: only the longest of them is named.
    assertThat(hot.prefixes(3))
        .extracting(one -> one.key().toStringUtf8())
        .contains("tena", "tenant-7")
        .doesNotContain("t", "te");
  }

  @Test
  void aRowIsNoPrefixOfItself() {
    HotKeys hot = new HotKeys();
    hot.add(Bytes.utf8("ab"), 1);
    assertThat(hot.prefixes(9)).extracting(one -> one.key().toStringUtf8()).containsExactly("a");
  }

  @Test
  void sketchesOfTwoRegionsMerge() {
    HotKeys low = new HotKeys();
    HotKeys high = new HotKeys();
    low.add(Bytes.utf8("a1"), 3);
    high.add(Bytes.utf8("z1"), 5);
    assertThat(low.merge(high).rows(2))
        .extracting(one -> one.key().toStringUtf8())
        .containsExactly("z1", "a1");
  }
}
