package dev.cairn.studies.nested;

import java.util.ArrayList;
import java.util.List;

/**
 * An account.
 *
 * @param balance the sum of all entries, in cents
 * @param entries the latest one first
 */
record Account(long number, String owner, long balance, List<Entry> entries) {
  /** Copies the list. */
  Account {
    entries = List.copyOf(entries);
  }

  /** Returns the owner of an account. */
  static String owner(long number) {
    return "Owner of account %07d".formatted(number);
  }

  /** Returns the account after a booking. */
  Account with(Entry entry) {
    List<Entry> more = new ArrayList<>(entries.size() + 1);
    more.add(entry);
    more.addAll(entries);
    return new Account(number, owner, balance + entry.cents(), more);
  }

  /** Returns the account with a text for an entry. */
  Account corrected(int entry, String text) {
    List<Entry> corrected =
        entries.stream()
            .map(one -> one.number() == entry ? new Entry(entry, one.cents(), text) : one)
            .toList();
    return new Account(number, owner, balance, corrected);
  }

  /** Returns whether the balance is the sum of the entries. */
  boolean isBalanced() {
    return balance == entries.stream().mapToLong(Entry::cents).sum();
  }
}
