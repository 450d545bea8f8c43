package dev.cairn.studies.tall;

import java.time.Instant;

/** A question about the items of a user. An answer has the latest item first. */
sealed interface Ask {
  /** Returns whose items are asked for. */
  String user();

  /** Asks for the item of a time. */
  record One(String user, Instant time) implements Ask {}

  /**
   * Asks for a page.
   *
   * @param offset how many later items stand before it
   * @param limit how many items it has at most
   */
  record Page(String user, int offset, int limit) implements Ask {}

  /**
   * Asks for the items of a period.
   *
   * @param from the first time
   * @param to after the last time
   */
  record Period(String user, Instant from, Instant to) implements Ask {
    boolean contains(Item item) {
      return !item.time().isBefore(from) && item.time().isBefore(to);
    }
  }

  /** Asks for all items. */
  record All(String user) implements Ask {}
}
