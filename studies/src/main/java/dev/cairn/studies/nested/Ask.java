package dev.cairn.studies.nested;

/** A question about an account. */
sealed interface Ask {
  /** Returns the number of the account. */
  long account();

  /** Asks for the account with all entries. */
  record Whole(long account) implements Ask {}

  /** Asks for the balance. */
  record Balance(long account) implements Ask {}

  /** Asks for an entry. */
  record One(long account, int entry) implements Ask {}

  /** Asks for the latest entries, the latest one first. */
  record Latest(long account, int limit) implements Ask {}

  /** Gives an entry a text. */
  record Correct(long account, int entry, String text) implements Ask {}
}
