package dev.cairn.studies.tall;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * An item of a user, such as a message.
 *
 * @param time no other item of the user has it
 */
record Item(String user, Instant time, String text) {
  /** The user who has one item of {@link #SHARE_OF_BUSIEST}. */
  static final String BUSIEST = user(0);

  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final int USERS = 1_000;
  private static final int SHARE_OF_BUSIEST = 5;

  /** Returns the first items. */
  static Stream<Item> first(long count) {
    return LongStream.range(0, count).mapToObj(i -> new Item(userOf(i), time(i), text(i)));
  }

  /** Returns the user of an item by its number. */
  static String userOf(long number) {
    return number % SHARE_OF_BUSIEST == 0 ? BUSIEST : user(new SplittableRandom(number));
  }

  /** Returns one of the users, the busiest one as likely as the others. */
  static String user(RandomGenerator random) {
    return user(random.nextInt(USERS));
  }

  private static String user(int number) {
    return "user%06d".formatted(number);
  }

  /** Returns the time of an item by its number. */
  static Instant time(long number) {
    return BEGIN.plus(INTERVAL.multipliedBy(number));
  }

  /** Returns how many of so many items the busiest user has, at least. */
  static long ofBusiest(long count) {
    return count / SHARE_OF_BUSIEST;
  }

  private static String text(long number) {
    return "The text of item %010d, which has sixty-four bytes, is here.".formatted(number);
  }
}
