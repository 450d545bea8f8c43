package dev.cairn.studies.nested;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** An entry for an account arrives. */
record Booking(long account, Entry entry) {
  /** The account that has one of {@link #SHARE_OF_BUSIEST} entries. */
  static final long BUSIEST = 0;

  private static final int SHARE_OF_BUSIEST = 20;
  private static final int ENTRIES_OF_ACCOUNT = 50;
  private static final long CENTS_MAX = 1_000_000;

  /** Returns the first bookings. */
  static Stream<Booking> first(long count) {
    return LongStream.range(0, count).mapToObj(number -> of(number, count));
  }

  /** Returns how many accounts so many bookings have, at least 2. */
  static long accounts(long count) {
    return Math.max(2, count / ENTRIES_OF_ACCOUNT);
  }

  /** Returns a booking, one of so many. */
  static Booking of(long number, long count) {
    long ofBusiest = number / SHARE_OF_BUSIEST;
    if (number % SHARE_OF_BUSIEST == 0) {
      return new Booking(BUSIEST, entry(number, ofBusiest));
    }
    long others = accounts(count) - 1;
    long ofOthers = number - ofBusiest - 1;
    return new Booking(1 + ofOthers % others, entry(number, ofOthers / others));
  }

  private static Entry entry(long number, long before) {
    long cents = new SplittableRandom(number).nextLong(-CENTS_MAX, CENTS_MAX);
    return new Entry(
        Math.toIntExact(before + 1), cents, "Payment for invoice %010d".formatted(number));
  }
}
