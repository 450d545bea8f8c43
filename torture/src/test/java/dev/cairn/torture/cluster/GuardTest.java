package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation notices when one of the guards is missing. */
@Tag("forms")
class GuardTest {
  private static final Duration ROUND = Duration.ofMinutes(30);
  private static final int FAULTS = 60;
  private static final int ROUNDS_MAX = 40;

  /** Each guard, with the faults from which it protects, and a seed that shows it early. */
  static Stream<Arguments> guards() {
    return Stream.of(
        Arguments.of(Guard.SEAL, 1L, EnumSet.of(FaultKind.SERVER_REPLACED)),
        Arguments.of(Guard.DIRECTORY, 1L, EnumSet.of(FaultKind.SERVER_FROZEN_IN_SYNC)),
        Arguments.of(
            Guard.SCRATCH,
            8L,
            EnumSet.of(
                FaultKind.SERVER_FROZEN_BEFORE_PUBLICATION,
                FaultKind.SERVER_FROZEN_AFTER_PUBLICATION)),
        Arguments.of(Guard.LEASE, 14L, EnumSet.of(FaultKind.SERVER_FROZEN_IN_ANSWER)),
        Arguments.of(Guard.LEASE, 22L, EnumSet.of(FaultKind.SERVER_SUSPENDED_IN_ANSWER)),
        Arguments.of(
            Guard.EPOCH, 3L, EnumSet.of(FaultKind.MASTER_FROZEN_IN_ORDER, FaultKind.SERVER_KILLED)),
        Arguments.of(Guard.ORDER, 1L, EnumSet.of(FaultKind.REGION_ORDERS_LOST)),
        Arguments.of(Guard.FENCE, 16L, EnumSet.of(FaultKind.MASTER_FROZEN_IN_FILES)),
        Arguments.of(Guard.REGISTRATION, 1L, EnumSet.of(FaultKind.BOTH_RESTARTED)),
        Arguments.of(Guard.NONCES, 1L, EnumSet.of(FaultKind.SERVER_KILLED)),
        Arguments.of(Guard.WAIT, 1L, EnumSet.of(FaultKind.CUT_STEP_BY_STEP)),
        Arguments.of(Guard.WAIT, 2L, EnumSet.of(FaultKind.CUT_FROM_STORAGE_AND_ANSWERS)),
        Arguments.of(Guard.LEADER, 1L, EnumSet.of(FaultKind.MASTER_FROZEN_IN_TAKEOVER)),
        Arguments.of(Guard.NOTICE, 22L, EnumSet.of(FaultKind.LOSSY_NETWORK)),
        Arguments.of(Guard.DRAINING, 3L, EnumSet.of(FaultKind.SERVER_KILLED)),
        Arguments.of(Guard.GROUPS, 12L, EnumSet.of(FaultKind.SERVER_KILLED)));
  }

  @ParameterizedTest
  @MethodSource("guards")
  void missingGuardIsNoticed(Guard guard, long seed, Set<FaultKind> kinds) {
    for (long next = seed; next < seed + ROUNDS_MAX; next++) {
      if (!errors(next, Set.of(guard), kinds).isEmpty()) {
        if (next != seed) {
          System.out.printf("%s: seed %d fails, and not %d%n", guard, next, seed);
        }
        return;
      }
    }
    fail("No harm is done without %s by the seeds %d to %d", guard, seed, seed + ROUNDS_MAX - 1);
  }

  @ParameterizedTest
  @MethodSource("controls")
  void withAllGuardsTheSameFaultsDoNoHarm(long seed, Set<FaultKind> kinds) {
    Set<FaultKind> drawn = EnumSet.noneOf(FaultKind.class);
    for (long next = seed; next < seed + ROUNDS_MAX && !drawn.equals(kinds); next++) {
      try (ClusterRun run = new ClusterRun(next, Set.of(), kinds)) {
        ClusterRun.Outcome outcome = run.run(ROUND, FAULTS);
        assertThat(outcome.errors()).isEmpty();
        drawn.addAll(outcome.faults().keySet());
      }
    }
    assertThat(drawn).isEqualTo(kinds);
  }

  /** The faults of all guards together; with {@code -Dgroups=long}, one run for each guard. */
  static Stream<Arguments> controls() {
    if (Boolean.getBoolean("cairn.long")) {
      return guards().map(guard -> Arguments.of(guard.get()[1], kinds(guard)));
    }
    Set<FaultKind> all = EnumSet.noneOf(FaultKind.class);
    guards().map(GuardTest::kinds).forEach(all::addAll);
    return Stream.of(Arguments.of(2L, all));
  }

  @SuppressWarnings("unchecked")
  private static Set<FaultKind> kinds(Arguments guard) {
    return (Set<FaultKind>) guard.get()[2];
  }

  private static List<String> errors(long seed, Set<Guard> without, Set<FaultKind> kinds) {
    try (ClusterRun run = new ClusterRun(seed, without, kinds)) {
      return run.run(ROUND, FAULTS).errors();
    }
  }
}
