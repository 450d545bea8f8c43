package dev.cairn.studies.indexes;

import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A user comes, moves to another city, or leaves.
 *
 * @param number of the move; a later move of a user has a greater one
 * @param city where the user lives from now on; empty if the user leaves
 */
record Move(long number, String user, Optional<String> city) {
  /** Cities; more users live in the first one than in each of the others. */
  static final int CITIES = 1_000;

  private static final long BEGIN = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
  private static final double NEW = 0.7;
  private static final double LEAVES = 0.15;
  private static final double GREAT = 0.3;

  /**
   * Returns the timestamp of the cells that the move writes. All moves have different ones, so that
   * the order of a user's moves never depends on a server's clock.
   */
  long timestamp() {
    return BEGIN + number;
  }

  /** Returns the name of a city. */
  static String city(int number) {
    return "city%03d".formatted(number);
  }

  /** Returns the first moves: 70 % users who come, 25 % who move, and 5 % who leave. */
  static Stream<Move> first(long count) {
    SplittableRandom random = new SplittableRandom(1);
    long[] users = {0};
    return LongStream.range(0, count)
        .mapToObj(
            number -> {
              boolean comes = users[0] == 0 || random.nextDouble() < NEW;
              long user = comes ? users[0]++ : random.nextLong(users[0]);
              boolean leaves = !comes && random.nextDouble() < LEAVES;
              return new Move(
                  number, user(user), leaves ? Optional.empty() : Optional.of(drawCity(random)));
            });
  }

  /** Returns the row key of a user. */
  static String user(long number) {
    return "user%09d".formatted(number);
  }

  private static String drawCity(SplittableRandom random) {
    return city(random.nextDouble() < GREAT ? 0 : 1 + random.nextInt(CITIES - 1));
  }
}
