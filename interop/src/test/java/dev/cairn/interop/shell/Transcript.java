package dev.cairn.interop.shell;

import java.util.List;
import java.util.regex.Pattern;

/** What a shell prints for a script, without what differs from run to run. */
final class Transcript {
  /** HBase's shell ends no line after the time that a method of a table takes. */
  private static final Pattern TIME_WITHOUT_END =
      Pattern.compile("(Took \\d+\\.\\d{4} seconds)(?=.)");

  /** The prompt at the end of the input. */
  private static final Pattern LAST_PROMPT = Pattern.compile("hbase:\\d+:0> ");

  /** HBase's shell prints a stack trace after some messages. */
  private static final Pattern TRACE =
      Pattern.compile("\\tat .*|Caused by: .*|\\t\\.\\.\\. \\d+ more");

  private Transcript() {}

  /** Returns the lines from the first statement on, with its answer. */
  static List<String> of(String output) {
    return TIME_WITHOUT_END
        .matcher(output)
        .replaceAll("$1\n")
        .lines()
        .dropWhile(line -> !line.startsWith("hbase:001:0>"))
        .filter(line -> !LAST_PROMPT.matcher(line).matches())
        .filter(line -> !TRACE.matcher(line).matches())
        .map(Transcript::plain)
        .toList();
  }

  private static String plain(String line) {
    return line.replaceAll("^Took \\d+\\.\\d{4} seconds.*", "Took")
        .replaceAll("timestamp=20\\d\\d-[-0-9T:.]+", "timestamp=NOW")
        .replaceAll("\\d{13}\\.[0-9a-f]{32}", "TIME.HASH")
        .replaceAll("[0-9a-f]{32}", "HASH");
  }
}
