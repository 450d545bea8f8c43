package dev.cairn.studies.list;

/** A question about the list of a user. */
sealed interface Ask {
  /** Returns whose list it is. */
  String user();

  /** Asks for the latest values, the latest one first. */
  record Latest(String user, int limit) implements Ask {
    /** Asks for all values. */
    static Latest all(String user) {
      return new Latest(user, Integer.MAX_VALUE);
    }
  }

  /** Asks whether a value is in the list. */
  record Contains(String user, long value) implements Ask {}

  /** Adds a value for a while, and removes it. */
  record AddAndRemove(String user, long value) implements Ask {}
}
