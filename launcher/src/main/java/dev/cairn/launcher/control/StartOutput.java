package dev.cairn.launcher.control;

import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.site.LogFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads the output of the last {@code cairn start}, whose process may still run.
 *
 * @param logs the files of the server
 */
public record StartOutput(LogFiles logs) {
  /** The line that a server prints once it serves. */
  public static final String SERVES = "Cairn serves.";

  /** The prefix of each line that tells what a long start waits for. */
  public static final String NOTICE_PREFIX = "note: ";

  private static final int LINES_SHOWN_MAX = 5;

  /**
   * The failure of a server that could not start or ended by itself.
   *
   * @param reason the reason, for the user
   * @param millis the time, milliseconds since 1970
   * @param log the file that tells more
   */
  public record Failure(String reason, long millis, Path log) {}

  /** Returns the lines with that prefix so far, without the prefix, oldest first. */
  List<String> notices() throws IOException {
    return lines(logs.out()).stream()
        .filter(StartOutput::isNotice)
        .map(line -> line.substring(NOTICE_PREFIX.length()))
        .toList();
  }

  /** Returns why the last server ended; empty if it served and said nothing, or there was none. */
  Optional<Failure> failure() throws IOException {
    List<String> output = lines(logs.out()).stream().filter(line -> !isNotice(line)).toList();
    Optional<String> reason = errorIn(output);
    if (reason.isEmpty() && !output.isEmpty() && !output.contains(SERVES)) {
      reason = Optional.of(output.get(output.size() - 1).strip());
    }
    if (reason.isEmpty()) {
      return Optional.empty();
    }
    long millis = Files.getLastModifiedTime(logs.out()).toMillis();
    Path log = Files.exists(logs.log()) ? logs.log() : logs.out();
    return Optional.of(new Failure(reason.get(), millis, log));
  }

  /** Returns why a server that has just ended while starting could not start. */
  String reason() throws IOException {
    List<String> output = lines(logs.out());
    Optional<String> reason = errorIn(output);
    if (reason.isPresent()) {
      return reason.get();
    }
    boolean silent = output.isEmpty() && Files.exists(logs.log());
    List<String> lines = silent ? lines(logs.log()) : output;
    String last =
        String.join(
            "\n  ", lines.subList(Math.max(0, lines.size() - LINES_SHOWN_MAX), lines.size()));
    return "the server ended while starting; the end of "
        + (silent ? logs.log() : logs.out())
        + ":\n  "
        + last;
  }

  private static boolean isNotice(String line) {
    return line.startsWith(NOTICE_PREFIX);
  }

  private static Optional<String> errorIn(List<String> output) {
    for (int i = output.size() - 1; i >= 0; i--) {
      if (output.get(i).startsWith(Failures.ERROR_PREFIX)) {
        return Optional.of(output.get(i).substring(Failures.ERROR_PREFIX.length()));
      }
    }
    return Optional.empty();
  }

  private static List<String> lines(Path file) throws IOException {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }
}
