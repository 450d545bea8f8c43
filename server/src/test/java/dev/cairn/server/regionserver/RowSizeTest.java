package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.regionserver.hosted.RowSize;
import org.junit.jupiter.api.Test;

class RowSizeTest {
  private static final int LARGE = 100_000;

  private final RowSize size = new RowSize();

  @Test
  void smallRowsAreNotForeseen() {
    size.was(1_000);
    assertThat(size.expected()).isZero();
  }

  @Test
  void largeRowsAreExpectedToBeFollowedByOnesAsLarge() {
    size.was(LARGE);
    assertThat(size.expected()).isEqualTo(LARGE);
    size.was(2 * LARGE);
    assertThat(size.expected()).isEqualTo(2 * LARGE);
  }

  @Test
  void aRowThatIsNotThereSaysNothing() {
    size.was(LARGE);
    size.was(0);
    assertThat(size.expected()).isEqualTo(LARGE);
  }

  @Test
  void largeRowsAreForgottenWhereOnlySmallOnesFollow() {
    size.was(LARGE);
    size.was(1_000);
    assertThat(size.expected()).isBetween(LARGE / 2, LARGE);
    for (int i = 0; i < 30; i++) {
      size.was(1_000);
    }
    assertThat(size.expected()).isZero();
  }
}
