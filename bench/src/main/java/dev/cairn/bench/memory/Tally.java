package dev.cairn.bench.memory;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts the results of one trial's calls. Thread-safe. */
final class Tally {
  private final Map<String, Long> errors = new TreeMap<>(); // guarded by this
  private long answered; // guarded by this
  private long bytes; // guarded by this

  synchronized void answered(WireClient.Answer answer) {
    if (answer.error().isPresent()) {
      failed(answer.error().get());
    } else {
      answered++;
      bytes += answer.bytes();
    }
  }

  synchronized void failed(String error) {
    errors.merge(error, 1L, Long::sum);
  }

  /** Returns the number of failed calls. */
  synchronized long failures() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public synchronized String toString() {
    String refused =
        errors.entrySet().stream()
            .map(error -> error.getKey() + " " + error.getValue())
            .collect(Collectors.joining(", "));
    return "%d answered, %.1f MB%s"
        .formatted(answered, bytes / 1e6, refused.isEmpty() ? "" : "; refused: " + refused);
  }
}
