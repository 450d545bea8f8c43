package dev.cairn.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.hfile.format.HFileSettings;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CompactionPolicyTest {
  private static final long HOUR_MILLIS = 3_600_000;
  private static final long NOON = 12 * HOUR_MILLIS;

  private final CompactionPolicy policy =
      new CompactionPolicy(new StoreSettings(3, 10, 1.2, 10, Long.MAX_VALUE, 0));

  @Test
  void fewerFilesThanTheLeastAreLeftAlone() {
    assertThat(policy.select(List.of(), NOON).isEmpty()).isTrue();
    assertThat(policy.select(List.of(5L, 5L), NOON).isEmpty()).isTrue();
  }

  @Test
  void aLargeOldFileIsNotRewrittenForSmallNewOnes() {
    assertThat(policy.select(List.of(100_000L, 12L, 12L, 12L), NOON))
        .isEqualTo(new CompactionPolicy.Range(1, 4));
  }

  @Test
  void filesOfLikeSizeAreMergedTogether() {
    assertThat(policy.select(List.of(100L, 100L, 100L, 100L), NOON))
        .isEqualTo(new CompactionPolicy.Range(0, 4));
  }

  @Test
  void anotherRatioAppliesAtOffPeakHours() {
    TableSchema table = TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));
    OffPeakRatio night = new OffPeakRatio(5, new OffPeakHours(22, 6), ZoneOffset.ofHours(1));
    StoreSettings settings =
        new StoreSettings(
            3,
            10,
            1.2,
            night,
            10,
            Long.MAX_VALUE,
            StoreSettings.THROTTLE_BYTES,
            0,
            0,
            0,
            16,
            true,
            StoreSettings.NONCE_MILLIS,
            HFileSettings.DEFAULTS,
            StoreFileTracking.DEFAULT);
    CompactionPolicy policy = new CompactionPolicy(settings);
    List<Long> sizes = List.of(100L, 12L, 12L);
    assertThat(policy.select(sizes, NOON).isEmpty()).isTrue();
    assertThat(policy.select(sizes, 21 * HOUR_MILLIS)).isEqualTo(new CompactionPolicy.Range(0, 3));
    assertThat(policy.select(sizes, 5 * HOUR_MILLIS).isEmpty()).isTrue();
    FamilySchema cautious = FamilySchema.of("f", Map.of(OffPeakRatio.KEY, "1.1"));
    assertThat(
            new CompactionPolicy(settings.forFamily(table, cautious))
                .select(sizes, 21 * HOUR_MILLIS)
                .isEmpty())
        .isTrue();
  }

  @Test
  void theNumberOfFilesStaysBoundedWhateverTheirSizes() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<Long> files = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      files.add(1L << random.nextInt(40));
      CompactionPolicy.Range range = policy.select(files, NOON);
      while (!range.isEmpty()) {
        assertThat(range.size()).as("seed %d", seed).isBetween(3, 10);
        List<Long> merged = files.subList(range.from(), range.to());
        long size = merged.stream().mapToLong(Long::longValue).sum();
        merged.clear();
        files.add(range.from(), size);
        range = policy.select(files, NOON);
      }
      assertThat(files).as("seed %d", seed).hasSizeLessThanOrEqualTo(10);
    }
  }
}
