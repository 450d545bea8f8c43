package dev.cairn.interop.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one writer knows about its rows, which nobody else writes: what each row holds for certain,
 * and what it may hold because an attempt to change it has not been answered. A row is its columns,
 * {@code family:qualifier}, with their values; a row without columns does not exist. One thread at
 * a time.
 */
final class Ledger {
  /** A row's contents: before the attempt that is open, and after it. */
  private record Open(SortedMap<String, String> before, SortedMap<String, String> after) {}

  private final Map<String, SortedMap<String, String>> certain = new TreeMap<>();
  private final Map<String, Open> open = new TreeMap<>();

  /** Returns what {@code row} holds. */
  SortedMap<String, String> contents(String row) {
    return new TreeMap<>(certain.getOrDefault(row, new TreeMap<>()));
  }

  /** Tells whether it is certain what {@code row} holds. */
  boolean isCertain(String row) {
    return !open.containsKey(row);
  }

  /** Notes that {@code row} is about to be changed into {@code after}. */
  void attempt(String row, SortedMap<String, String> after) {
    if (open.putIfAbsent(row, new Open(contents(row), new TreeMap<>(after))) != null) {
      throw new IllegalStateException("Two attempts at row " + row);
    }
  }

  /** Notes that the attempt at {@code row} was answered with success. */
  void acknowledged(String row) {
    certain.put(row, open.remove(row).after());
  }

  /**
   * Compares with what the table holds, and takes that for certain from now on.
   *
   * @param found all rows of the table; those that this ledger knows are removed
   * @return what is wrong, one line for each row
   */
  List<String> compare(Map<String, SortedMap<String, String>> found) {
    List<String> wrong = new ArrayList<>();
    open.forEach(
        (row, attempt) -> {
          SortedMap<String, String> now = found.getOrDefault(row, new TreeMap<>());
          if (!now.equals(attempt.before()) && !now.equals(attempt.after())) {
            wrong.add(
                "row %s holds %s, neither %s nor %s"
                    .formatted(row, now, attempt.before(), attempt.after()));
          }
          certain.put(row, now);
        });
    open.clear();
    certain.forEach(
        (row, contents) -> {
          SortedMap<String, String> now = found.remove(row);
          if (!contents.equals(now == null ? new TreeMap<String, String>() : now)) {
            wrong.add("row %s holds %s, not %s".formatted(row, now, contents));
          }
        });
    return wrong;
  }
}
