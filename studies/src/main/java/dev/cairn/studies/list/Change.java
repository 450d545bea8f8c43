package dev.cairn.studies.list;

import java.time.Instant;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A change of a list. Four changes of a list make a group: two values are added for good and one
 * for a while, and one that was added some groups before is removed.
 *
 * @param value greater than those that were added earlier, if it is added
 * @param time of the change, in milliseconds since 1970: later than earlier changes of the value
 */
record Change(String user, long value, Kind kind, long time) {
  /** What happens to a value. */
  enum Kind {
    /** It is added for good. */
    ADD,

    /** It is added, and is to be removed later. */
    ADD_FOR_A_WHILE,

    /** It is removed. */
    REMOVE
  }

  /** The user who has one of {@link #SHARE_OF_BUSIEST} changes. */
  static final String BUSIEST = user(0);

  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final int USERS = 1_000;
  private static final int SHARE_OF_BUSIEST = 10;
  private static final int GROUP = 4;
  private static final int REMOVES = 3;

  /** How many groups later a value is removed. */
  private static final int GROUPS_BETWEEN = 100;

  /** Returns the first changes. */
  static Stream<Change> first(long count) {
    return LongStream.range(0, count).mapToObj(number -> of(number, count));
  }

  private static Change of(long number, long count) {
    long time = BEGIN.plusSeconds(number).toEpochMilli();
    long removed = number - GROUPS_BETWEEN * GROUP - 1;
    if (number % GROUP == REMOVES && removed >= 0) {
      return new Change(userOf(removed), removed, Kind.REMOVE, time);
    }
    long removal = number + GROUPS_BETWEEN * GROUP + 1;
    boolean goes = removal % GROUP == REMOVES && removal < count;
    return new Change(userOf(number), number, goes ? Kind.ADD_FOR_A_WHILE : Kind.ADD, time);
  }

  /** Returns whose list gets a value; it is the number of the change that adds it. */
  static String userOf(long value) {
    long group = value / GROUP;
    return group % SHARE_OF_BUSIEST == 0 ? BUSIEST : anyUser(new SplittableRandom(group));
  }

  /** Returns one of the users, the busiest one as likely as the others. */
  static String anyUser(RandomGenerator random) {
    return user(random.nextInt(USERS));
  }

  private static String user(int number) {
    return "user%06d".formatted(number);
  }

  /** Returns whether the value is removed. */
  boolean isRemoval() {
    return kind == Kind.REMOVE;
  }
}
