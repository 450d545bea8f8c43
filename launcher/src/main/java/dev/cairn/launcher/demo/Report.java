package dev.cairn.launcher.demo;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints questions, answers, and whether the answers agree. For one thread. */
final class Report {
  private static final int LIST_MAX = 8;
  private static final int EXCERPT_LINES = 5;
  private static final int WIDTH_MAX = 110;

  private final PrintWriter out;
  private int questions;
  private int contradictions;

  Report(PrintWriter out) {
    this.out = out;
  }

  /** Returns the number of answers that contradicted the expectation. */
  int contradictions() {
    return contradictions;
  }

  /** Begins the next question. */
  void question(String text) {
    questions++;
    out.println();
    out.println(questions + ". " + text);
  }

  /** Prints one line of an answer. */
  void line(String text) {
    out.println("   " + text);
    out.flush();
  }

  /** Prints a number and its unit. */
  void counted(long count, String what) {
    line(String.format(Locale.ROOT, "%,7d  %s", count, what));
  }

  /** Prints the first of {@code texts}, and how many more there are. */
  void list(List<String> texts) {
    texts.stream().limit(LIST_MAX).forEach(this::line);
    if (texts.size() > LIST_MAX) {
      line("... and " + number(texts.size() - LIST_MAX) + " more");
    }
  }

  /** Prints the beginning of a text. */
  void excerpt(String text) {
    text.lines()
        .filter(line -> !line.isBlank())
        .limit(EXCERPT_LINES)
        .map(line -> line.length() > WIDTH_MAX ? line.substring(0, WIDTH_MAX) + "..." : line)
        .forEach(line -> line("| " + line));
  }

  /** Prints how many of something came in what time. */
  void rate(long count, String what, long nanos) {
    double seconds = Math.max(nanos, 1) / 1e9;
    line(
        String.format(
            Locale.ROOT,
            "%,d %s in %.3f s: %,.0f %s/s",
            count,
            what,
            seconds,
            count / seconds,
            what));
  }

  /** Prints how long the median and the slowest hundredth took. */
  void latencies(long medianNanos, long slowNanos) {
    line(
        String.format(
            Locale.ROOT,
            "half within %.2f ms, 99 %% within %.2f ms",
            medianNanos / 1e6,
            slowNanos / 1e6));
  }

  /** Prints whether an answer is as it must be. */
  void check(boolean holds, String what) {
    contradictions += holds ? 0 : 1;
    line((holds ? "ok: " : "WRONG, not so: ") + what);
  }

  /** Returns a number for people. */
  String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
