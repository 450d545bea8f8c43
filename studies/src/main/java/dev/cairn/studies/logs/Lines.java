package dev.cairn.studies.logs;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Asks for lines, in the order of type, host and time.
 *
 * @param host empty for all hosts
 * @param type empty for all types
 * @param from the first time
 * @param to after the last time
 * @param latest how many lines of a host and type, the latest ones; 0 for all
 */
record Lines(Optional<String> host, Optional<String> type, Instant from, Instant to, int latest) {
  /** Tells whether a line is in the time, of the host and of the type. */
  boolean contains(LogLine line) {
    return host.filter(name -> !name.equals(line.host())).isEmpty()
        && type.filter(name -> !name.equals(line.type())).isEmpty()
        && !line.time().isBefore(from)
        && line.time().isBefore(to);
  }

  /** Returns the lines that are asked for, of all that are contained. */
  List<LogLine> sorted(Stream<LogLine> lines) {
    List<LogLine> sorted = lines.sorted(LogLine.ORDER).toList();
    return latest == 0 || sorted.size() <= latest
        ? sorted
        : sorted.subList(sorted.size() - latest, sorted.size());
  }
}
