package dev.cairn.bench.failover;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the steps of a recovery in the logs of Cairn's servers. */
final class RecoverySteps {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");
  private static final int TIME_CHARS = 23;

  /** The time after the longest pause in which the last steps may be logged. */
  private static final Duration MORE = Duration.ofSeconds(5);

  /** The log lines of each step, in the order of the steps. */
  private static final Map<String, Pattern> STEPS = steps();

  private RecoverySteps() {}

  private static Map<String, Pattern> steps() {
    Map<String, Pattern> steps = new LinkedHashMap<>();
    steps.put("death noticed", Pattern.compile(" has ended, or serves nothing any more"));
    steps.put("server gone", Pattern.compile("The region server \\S+ is gone"));
    steps.put("orders to split the log", Pattern.compile(" splits \\d+ parts of the log of "));
    steps.put("lease recovered", Pattern.compile("Recovered the lease of "));
    steps.put("log split", Pattern.compile("Recovered \\d+ entries|Split |entries of "));
    steps.put("region opened by its server", Pattern.compile("Opened \\S+ with \\d+ store files"));
    steps.put("region serves", Pattern.compile(" is open, at sequence number "));
    steps.put("region open, as the master says", Pattern.compile(" is open at "));
    steps.put("log recovered", Pattern.compile("The log of \\S+ is recovered"));
    return steps;
  }

  /**
   * Returns one line for each step: the milliseconds from the fault to its first and its last line,
   * and the number of lines.
   *
   * @param logs the folder with the logs; empty if it is not known
   * @param start when the fault was injected
   * @param pauseMillis how long writers waited; later lines do not count, except soon after
   */
  static List<String> read(Optional<Path> logs, Instant start, long pauseMillis)
      throws IOException {
    if (logs.isEmpty()) {
      return List.of("The servers' logs are not known");
    }
    Map<String, LongSummaryStatistics> times = new LinkedHashMap<>();
    STEPS.keySet().forEach(step -> times.put(step, new LongSummaryStatistics()));
    try (Stream<Path> files = Files.list(logs.get())) {
      for (Path file : files.sorted().toList()) {
        for (String line : Files.readAllLines(file)) {
          millis(line, start)
              .filter(at -> at >= 0 && at <= pauseMillis + MORE.toMillis())
              .ifPresent(at -> add(times, line, at));
        }
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add("| step | first, ms | last, ms | lines |");
    lines.add("| --- | --- | --- | --- |");
    times.forEach(
        (step, at) -> {
          if (at.getCount() > 0) {
            lines.add(
                "| %s | %d | %d | %d |".formatted(step, at.getMin(), at.getMax(), at.getCount()));
          }
        });
    return lines;
  }

  private static void add(Map<String, LongSummaryStatistics> times, String line, long at) {
    STEPS.forEach(
        (step, pattern) -> {
          if (pattern.matcher(line).find()) {
            times.get(step).accept(at);
          }
        });
  }

  /** Returns the time of a line, milliseconds since {@code start}; empty if it has none. */
  private static Optional<Long> millis(String line, Instant start) {
    if (line.length() < TIME_CHARS) {
      return Optional.empty();
    }
    try {
      Instant time =
          LocalDateTime.parse(line.substring(0, TIME_CHARS), TIME)
              .atZone(ZoneId.systemDefault())
              .toInstant();
      return Optional.of(Duration.between(start, time).toMillis());
    } catch (DateTimeParseException e) {
      return Optional.empty(); // a line of a stack trace
    }
  }
}
