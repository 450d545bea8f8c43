package dev.cairn.torture.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The calls of all clients, by row. Thread-safe.
 *
 * <p>Its text form has one line for each call: the row, the client, the begin and the end in
 * nanoseconds ({@code ?} if the outcome is unknown), the call, and its result:
 *
 * <pre>
 *   r1 0 1000 1900 put 5
 *   r1 1 1200 2100 get -> 5
 *   r1 0 2200 3000 check 5 put 6 -> true
 *   r1 1 2300 ? increment 1
 * </pre>
 */
public final class RecordedHistory {
  private static final Pattern LINE = Pattern.compile("(\\S+) (\\d+) (\\d+) (\\d+|\\?) (.*)");
  private static final Pattern CALL =
      Pattern.compile(
          "(?:(get)|put (-?\\d+)|(delete)|increment (-?\\d+)|check (none|-?\\d+) put (-?\\d+))"
              + "(?: -> (\\S+))?");

  private final Map<String, List<RowOperation>> rows = new TreeMap<>();

  /** Adds a call on a row, whose name has no spaces. */
  public synchronized void add(String row, RowOperation operation) {
    rows.computeIfAbsent(row, name -> new ArrayList<>()).add(operation);
  }

  /** Returns the number of calls. */
  public synchronized int size() {
    return rows.values().stream().mapToInt(List::size).sum();
  }

  /** Checks each row. Returns a line for each that no order explains. */
  public synchronized List<String> violations() {
    List<String> found = new ArrayList<>();
    rows.forEach(
        (row, calls) ->
            LinearizabilityChecker.check(calls)
                .ifPresent(message -> found.add("Row " + row + ": " + message)));
    return found;
  }

  /** Writes the text form. */
  public synchronized void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    rows.forEach((row, calls) -> calls.forEach(call -> text.append(line(row, call)).append('\n')));
    Files.writeString(file, text);
  }

  /**
   * Reads the text form.
   *
   * @throws IOException naming the line, if it is not one
   */
  public static RecordedHistory read(Path file) throws IOException {
    RecordedHistory history = new RecordedHistory();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      if (!line.isBlank()) {
        try {
          Matcher parts = LINE.matcher(line);
          Optional<RowCall> call = parts.matches() ? call(parts.group(5)) : Optional.empty();
          history.add(
              parts.group(1),
              new RowOperation(
                  Integer.parseInt(parts.group(2)),
                  Long.parseLong(parts.group(3)),
                  parts.group(4).equals("?") ? RowOperation.NEVER : Long.parseLong(parts.group(4)),
                  call.orElseThrow()));
        } catch (RuntimeException e) {
          throw new IOException(file + ", line " + number + " is not a call: " + line, e);
        }
      }
    }
    return history;
  }

  /** Returns the line of one call. */
  static String line(String row, RowOperation operation) {
    String end = operation.isAnswered() ? String.valueOf(operation.end()) : "?";
    return "%s %d %d %s %s"
        .formatted(row, operation.client(), operation.begin(), end, operation.call().text());
  }

  private static Optional<RowCall> call(String text) {
    Matcher parts = CALL.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    Optional<String> result = Optional.ofNullable(parts.group(7));
    if (parts.group(1) != null) {
      return Optional.of(new RowCall.Get(number(result.orElseThrow())));
    } else if (parts.group(2) != null) {
      return Optional.of(new RowCall.Put(Long.parseLong(parts.group(2))));
    } else if (parts.group(3) != null) {
      return Optional.of(new RowCall.Delete());
    } else if (parts.group(4) != null) {
      return Optional.of(
          new RowCall.Increment(
              Long.parseLong(parts.group(4)),
              result.map(RecordedHistory::number).orElse(OptionalLong.empty())));
    }
    return Optional.of(
        new RowCall.CheckAndPut(
            number(parts.group(5)),
            Long.parseLong(parts.group(6)),
            result.map(Boolean::parseBoolean)));
  }

  private static OptionalLong number(String text) {
    return text.equals("none") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }
}
