package dev.cairn.engine.wal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SyncHistoryTest {
  private static final int ENOUGH = 3;

  private final SyncHistory history =
      new SyncHistory(new WalRollPolicy(100, 2, 1_000, 500, ENOUGH, 2));

  @Test
  void aFileWithoutSlowSyncsGoesOn() {
    for (int i = 0; i < 10_000; i++) {
      history.add(i, 100, ENOUGH);
    }
    assertThat(history.isRollDue()).isFalse();
  }

  @Test
  void moreSlowSyncsThanAllowedWithinTheIntervalEndTheFile() {
    history.add(1_000, 101, ENOUGH);
    history.add(1_500, 101, ENOUGH);
    assertThat(history.isRollDue()).isFalse();
    history.add(2_000, 101, ENOUGH);
    assertThat(history.isRollDue()).isTrue();
    history.rolled();
    assertThat(history.isRollDue()).isFalse();
  }

  @Test
  void slowSyncsThatLieFarApartDoNot() {
    for (int i = 0; i < 100; i++) {
      history.add(600L * i, 101, ENOUGH);
    }
    assertThat(history.isRollDue()).isFalse();
  }

  @Test
  void oneSyncThatTakesMuchTooLongEndsTheFile() {
    history.add(1_000, 501, ENOUGH);
    assertThat(history.isRollDue()).isTrue();
  }

  @Test
  void tooFewCopiesEndTheFileUntilThatHasNotHelpedOftenEnough() {
    for (int i = 0; i < 2; i++) {
      history.add(i, 1, ENOUGH - 1);
      assertThat(history.isRollDue()).isTrue();
      history.rolled();
    }
    history.add(3, 1, ENOUGH - 1);
    assertThat(history.isRollDue()).isFalse();
    history.add(4, 1, ENOUGH);
    history.add(5, 1, ENOUGH - 1);
    assertThat(history.isRollDue()).isTrue();
  }

  @Test
  void aLogOnADiskIsEndedForItsLengthOnly() {
    SyncHistory onDisk = new SyncHistory(WalRollPolicy.LENGTH_ONLY);
    for (int i = 0; i < 1_000; i++) {
      onDisk.add(i, 1L << 40, Integer.MAX_VALUE);
    }
    assertThat(onDisk.isRollDue()).isFalse();
  }
}
