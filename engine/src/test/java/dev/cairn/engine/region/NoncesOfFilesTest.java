package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Each later owner of a region knows the nonces of its changes, wherever their cells are by now.
 */
class NoncesOfFilesTest {
  private static final Nonce FIRST = new Nonce(-7, Long.MIN_VALUE);
  private static final Nonce SECOND = new Nonce(7, Long.MAX_VALUE);

  @Test
  void afterAnOrderlyClose() throws IOException {
    try (RegionHarness harness = RegionHarness.ofTwoFamilies()) {
      put(harness, "a", F, FIRST);
      harness.closeCleanly();
      harness.open();
      assertThat(harness.recovered()).containsExactly(FIRST);
      assertThat(harness.get("a", "q")).isEqualTo("v");
    }
  }

  @Test
  void afterAFlushAndAKill() throws IOException {
    try (RegionHarness harness = RegionHarness.ofTwoFamilies()) {
      put(harness, "a", F, FIRST);
      harness.region().flush();
      put(harness, "b", G, SECOND);
      harness.kill();
      assertThat(harness.recovered()).contains(FIRST, SECOND);
      harness.kill();
      assertThat(harness.recovered()).containsExactlyInAnyOrder(FIRST, SECOND);
    }
  }

  @Test
  void afterACompaction() throws IOException {
    try (RegionHarness harness = RegionHarness.ofTwoFamilies()) {
      put(harness, "a", F, FIRST);
      harness.region().flush();
      put(harness, "a", F, SECOND);
      harness.region().flush();
      harness.region().compact(true);
      harness.closeCleanly();
      harness.open();
      assertThat(harness.recovered()).containsExactly(FIRST, SECOND);
    }
  }

  @Test
  void untilTheyAreTooOld() throws IOException {
    try (RegionHarness harness = RegionHarness.ofTwoFamilies()) {
      put(harness, "a", F, FIRST);
      harness.region().flush();
      harness.clock.advance(StoreSettings.NONCE_MILLIS);
      put(harness, "a", F, SECOND);
      harness.region().flush();
      harness.region().compact(true);
      harness.closeCleanly();
      harness.open();
      assertThat(harness.recovered()).containsExactly(SECOND);
    }
  }

  @Test
  void inDaughtersAndInMergedRegions() throws IOException {
    try (TableHarness table = new TableHarness(RegionHarness.TWO_FAMILIES)) {
      put(table, "a", FIRST);
      put(table, "z", SECOND);
      table.split("m");
      assertThat(table.recovered()).containsExactlyInAnyOrder(FIRST, SECOND);
      for (Region daughter : table.regions()) {
        daughter.compact(true);
      }
      table.recovered().clear();
      table.merge("a", "z");
      assertThat(table.recovered()).containsExactlyInAnyOrder(FIRST, SECOND);
      table.regions().get(0).compact(true);
      table.recovered().clear();
      table.restart();
      assertThat(table.recovered()).containsExactlyInAnyOrder(FIRST, SECOND);
    }
  }

  private static void put(RegionHarness harness, String row, byte[] family, Nonce nonce)
      throws IOException {
    RegionHarness.done(
        harness.mutate(
            List.of(putOf(row, family, "q", Cell.LATEST_TIMESTAMP, "v").numbered(nonce))));
  }

  private static void put(TableHarness table, String row, Nonce nonce) throws IOException {
    table.write(List.of(putOf(row, F, "q", Cell.LATEST_TIMESTAMP, "v").numbered(nonce)));
  }
}
