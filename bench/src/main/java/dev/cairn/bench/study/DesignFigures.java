package dev.cairn.bench.study;

import dev.cairn.studies.Figure;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a design costs.
 *
 * @param design its name
 * @param layout how facts become rows
 * @param factsPerSecond that were stored
 * @param writeMicros processor time of all region servers for a fact, until its table is compacted
 * @param storing where the processor time went while facts were stored
 * @param maintainSeconds the time that the design's own work took
 * @param bytesPerFact in store files, after a major compaction
 * @param answers of the kinds of questions
 * @param others what the study measured itself
 */
record DesignFigures(
    String design,
    String layout,
    double factsPerSecond,
    double writeMicros,
    Storing storing,
    double maintainSeconds,
    double bytesPerFact,
    List<Answers> answers,
    List<Figure> others) {
  /** Less than these seconds are no work. */
  static final double MAINTAINED_MIN = 0.05;

  /**
   * Where the processor time went while facts were stored.
   *
   * @param clientCores how many cores the client used
   * @param serverCores how many cores all region servers used
   * @param busiest the part of the region servers' processor time that the busiest one had
   * @param busiestMicros processor time of the busiest server for a fact
   * @param regions how many regions of the design's tables each server had, most first
   */
  record Storing(
      double clientCores,
      double serverCores,
      double busiest,
      double busiestMicros,
      List<Integer> regions) {
    /** Copies the list. */
    Storing {
      regions = List.copyOf(regions);
    }
  }

  /**
   * The answers to a kind of question.
   *
   * @param label the question
   * @param count how many were asked
   * @param facts how many facts an answer has, on average
   * @param medianMillis the time of an answer
   * @param slowMillis the time that 99 % of the answers do not exceed
   * @param serverMicros processor time of all region servers for an answer
   */
  record Answers(
      String label,
      int count,
      double facts,
      double medianMillis,
      double slowMillis,
      double serverMicros) {}

  String summary() {
    return String.format(
            Locale.ROOT,
            "%s: %,.0f facts/s, %.1f µs of servers and %.1f bytes per fact",
            design,
            factsPerSecond,
            writeMicros,
            bytesPerFact)
        + (maintainSeconds < MAINTAINED_MIN
            ? ""
            : String.format(Locale.ROOT, "; maintained in %.1f s", maintainSeconds))
        + answers.stream()
            .map(
                one ->
                    String.format(
                        Locale.ROOT,
                        "; %s %.2f ms (p99 %.2f)",
                        one.label(),
                        one.medianMillis(),
                        one.slowMillis()))
            .collect(Collectors.joining())
        + others.stream()
            .map(one -> String.format(Locale.ROOT, "; %s %.2f", one.label(), one.value()))
            .collect(Collectors.joining());
  }
}
