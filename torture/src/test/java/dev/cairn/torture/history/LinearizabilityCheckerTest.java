package dev.cairn.torture.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.torture.history.RowCall.CheckAndPut;
import dev.cairn.torture.history.RowCall.Delete;
import dev.cairn.torture.history.RowCall.Get;
import dev.cairn.torture.history.RowCall.Increment;
import dev.cairn.torture.history.RowCall.Put;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests which histories of a row are linearizable. */
class LinearizabilityCheckerTest {
  private static final OptionalLong NONE = OptionalLong.empty();

  private static RowOperation at(long begin, long end, RowCall call) {
    return new RowOperation(0, begin, end, call);
  }

  private static RowOperation lost(long begin, RowCall call) {
    return at(begin, RowOperation.NEVER, call);
  }

  private static RowCall get(long value) {
    return new Get(OptionalLong.of(value));
  }

  private static boolean isLinearizable(RowOperation... operations) {
    return LinearizabilityChecker.check(List.of(operations)).isEmpty();
  }

  @Test
  void aReadMaySeeAWriteThatItOverlaps_orNot() {
    RowOperation put = at(10, 20, new Put(1));
    assertThat(isLinearizable(put, at(15, 30, get(1)))).isTrue();
    assertThat(isLinearizable(put, at(15, 30, new Get(NONE)))).isTrue();
    assertThat(isLinearizable(put, at(21, 30, new Get(NONE)))).isFalse();
    assertThat(isLinearizable(put, at(1, 9, get(1)))).isFalse();
  }

  @Test
  void noLaterReadSeesAnOlderValue() {
    RowOperation put = at(10, 100, new Put(1));
    assertThat(isLinearizable(put, at(20, 30, get(1)), at(40, 50, new Get(NONE)))).isFalse();
    assertThat(isLinearizable(put, at(20, 30, new Get(NONE)), at(40, 50, get(1)))).isTrue();
  }

  @Test
  void aWriteWithoutAnAnswerMayTakeEffectLate_orNever_butOnlyOnce() {
    RowOperation put = lost(10, new Increment(1, NONE));
    assertThat(isLinearizable(put, at(20, 30, new Get(NONE)))).isTrue();
    assertThat(isLinearizable(put, at(20, 30, new Get(NONE)), at(40, 50, get(1)))).isTrue();
    assertThat(isLinearizable(put, at(40, 50, get(2)))).isFalse();
    assertThat(isLinearizable(put, at(1, 9, get(1)))).isFalse();
  }

  @Test
  void onlyOneOfTwoConditionalPutsOfOneValueSucceeds() {
    CheckAndPut one = new CheckAndPut(NONE, 1, Optional.of(true));
    CheckAndPut two = new CheckAndPut(NONE, 2, Optional.of(true));
    assertThat(isLinearizable(at(1, 10, one), at(2, 9, two))).isFalse();
    assertThat(
            isLinearizable(at(1, 10, one), at(2, 9, new CheckAndPut(NONE, 2, Optional.of(false)))))
        .isTrue();
    assertThat(isLinearizable(at(1, 10, one), lost(2, new Delete()), at(12, 20, two))).isTrue();
  }

  @Test
  void theMessageNamesTheCallThatDoesNotFit() {
    assertThat(LinearizabilityChecker.check(List.of(at(1, 2, new Put(5)), at(3, 4, get(6)))))
        .hasValueSatisfying(
            message ->
                assertThat(message).contains("the value is 5", "does not fit 0 3 4 get -> 6"));
  }

  /** Random small histories, with right and wrong results, against a search of all orders. */
  @Test
  void theSearchAgreesWithOneThatTriesEveryOrder() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    int linearizable = 0;
    for (int round = 0; round < 20_000; round++) {
      List<RowOperation> operations = randomHistory(random);
      boolean expected = anyOrder(operations, new boolean[operations.size()], NONE);
      assertThat(LinearizabilityChecker.check(operations).isEmpty())
          .as("seed %d, round %d: %s", seed, round, operations)
          .isEqualTo(expected);
      linearizable += expected ? 1 : 0;
    }
    assertThat(linearizable).isBetween(1_000, 19_000);
  }

  private static List<RowOperation> randomHistory(SplittableRandom random) {
    List<RowOperation> operations = new ArrayList<>();
    int count = random.nextInt(1, 7);
    for (int i = 0; i < count; i++) {
      long begin = random.nextInt(12);
      boolean answered = random.nextInt(5) > 0;
      operations.add(
          at(
              begin,
              answered ? begin + random.nextInt(1, 8) : RowOperation.NEVER,
              randomCall(random, answered)));
    }
    return operations;
  }

  private static RowCall randomCall(SplittableRandom random, boolean answered) {
    OptionalLong value = random.nextInt(3) == 0 ? NONE : OptionalLong.of(random.nextInt(1, 3));
    return switch (random.nextInt(answered ? 5 : 4)) {
      case 0 -> new Put(random.nextInt(1, 3));
      case 1 -> new Delete();
      case 2 -> new Increment(1, answered ? OptionalLong.of(random.nextInt(1, 4)) : NONE);
      case 3 ->
          new CheckAndPut(
              value,
              random.nextInt(1, 3),
              answered ? Optional.of(random.nextBoolean()) : Optional.empty());
      default -> new Get(value);
    };
  }

  private static boolean anyOrder(List<RowOperation> all, boolean[] done, OptionalLong value) {
    boolean complete = true;
    long firstEnd = Long.MAX_VALUE;
    for (int i = 0; i < done.length; i++) {
      if (!done[i]) {
        complete &= !all.get(i).isAnswered();
        firstEnd = Math.min(firstEnd, all.get(i).end());
      }
    }
    if (complete) {
      return true;
    }
    for (int i = 0; i < done.length; i++) {
      if (!done[i] && all.get(i).begin() <= firstEnd) {
        Optional<OptionalLong> after = all.get(i).call().apply(value);
        if (after.isPresent()) {
          done[i] = true;
          boolean found = anyOrder(all, done, after.get());
          done[i] = false;
          if (found) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
