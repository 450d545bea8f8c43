package dev.cairn.interop.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/operations/trouble.md} lists each error that the servers log, with what to do about
 * it.
 */
class ErrorLinesTest {
  private static final Path CHECKOUT = Path.of("..");
  private static final Path PAGE = CHECKOUT.resolve("docs/operations/trouble.md");

  /** A call that logs an error, with its first argument if that is a text. */
  private static final Pattern CALL =
      Pattern.compile("\\b(?:LOG|log|logger)\\s*\\.(?:error|atError)\\(\\s*(?:\"([^\"]*)\")?");

  private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| (`.*`) \\| (.+) \\|");

  /** Returns the lines that each class logs as errors, in the order of the source. */
  private static Map<String, List<String>> logged() throws IOException {
    Map<String, List<String>> lines = new TreeMap<>();
    try (Stream<Path> files = Files.walk(CHECKOUT)) {
      for (Path file : files.filter(ErrorLinesTest::isServers).sorted().toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        Matcher call = CALL.matcher(Files.readString(file));
        while (call.find()) {
          lines
              .computeIfAbsent(name, any -> new ArrayList<>())
              .add(call.group(1) == null ? "" : call.group(1));
        }
      }
    }
    return lines;
  }

  private static boolean isServers(Path file) {
    return CHECKOUT
        .relativize(file)
        .toString()
        .matches("(engine|server|tools|launcher|hdfs)/src/main/java/.*\\.java");
  }

  /** Returns the lines that the page lists, by class. */
  private static Map<String, List<String>> listed() throws IOException {
    Map<String, List<String>> rows = new TreeMap<>();
    String page = Files.readString(PAGE);
    page = page.substring(page.indexOf("\nThese are all errors:\n"));
    for (String line : page.substring(0, page.indexOf("\n## ")).split("\n")) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows.computeIfAbsent(row.group(1), any -> new ArrayList<>()).add(row.group(2));
      }
    }
    return rows;
  }

  @Test
  void eachClassHasARowForEachOfItsErrors() throws IOException {
    Map<String, Integer> logged = new TreeMap<>();
    logged().forEach((name, lines) -> logged.put(name, lines.size()));
    Map<String, Integer> listed = new TreeMap<>();
    listed().forEach((name, rows) -> listed.put(name, rows.size()));
    assertThat(listed)
        .as("errors by class: docs/operations/trouble.md, and the sources")
        .isEqualTo(logged);
  }

  @Test
  void aRowHasTheWordsOfItsLine() throws IOException {
    Map<String, List<String>> listed = listed();
    logged()
        .forEach(
            (name, lines) ->
                lines.forEach(
                    line ->
                        Arrays.stream(line.split("\\{\\}|:"))
                            .map(String::strip)
                            .filter(words -> words.matches("\\w+( \\w+){2,}.*"))
                            .findFirst()
                            .ifPresent(words -> assertListed(listed.get(name), words))));
  }

  /** The page may leave out the end of a line. */
  private static void assertListed(List<String> rows, String words) {
    String beginning = String.join(" ", Arrays.copyOf(words.split(" "), 3));
    assertThat(rows).anyMatch(row -> row.contains(beginning));
  }
}
