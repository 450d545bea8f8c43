package dev.cairn.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CompactionPolicyTest {
  private final CompactionPolicy policy =
      new CompactionPolicy(new StoreSettings(3, 10, 1.2, 10, Long.MAX_VALUE, 0));

  @Test
  void fewerFilesThanTheLeastAreLeftAlone() {
    assertThat(policy.select(List.of()).isEmpty()).isTrue();
    assertThat(policy.select(List.of(5L, 5L)).isEmpty()).isTrue();
  }

  @Test
  void aLargeOldFileIsNotRewrittenForSmallNewOnes() {
    assertThat(policy.select(List.of(100_000L, 12L, 12L, 12L)))
        .isEqualTo(new CompactionPolicy.Range(1, 4));
  }

  @Test
  void filesOfLikeSizeAreMergedTogether() {
    assertThat(policy.select(List.of(100L, 100L, 100L, 100L)))
        .isEqualTo(new CompactionPolicy.Range(0, 4));
  }

  @Test
  void theNumberOfFilesStaysBoundedWhateverTheirSizes() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<Long> files = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      files.add(1L << random.nextInt(40));
      CompactionPolicy.Range range = policy.select(files);
      while (!range.isEmpty()) {
        assertThat(range.size()).as("seed %d", seed).isBetween(3, 10);
        List<Long> merged = files.subList(range.from(), range.to());
        long size = merged.stream().mapToLong(Long::longValue).sum();
        merged.clear();
        files.add(range.from(), size);
        range = policy.select(files);
      }
      assertThat(files).as("seed %d", seed).hasSizeLessThanOrEqualTo(10);
    }
  }
}
