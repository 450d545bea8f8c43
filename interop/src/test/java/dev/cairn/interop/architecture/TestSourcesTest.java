package dev.cairn.interop.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests of all modules wait for conditions, not for time. */
class TestSourcesTest {
  private static final Path CHECKOUT = Path.of("..");
  private static final int LEAST_SECONDS = 60;

  /** Returns where the pattern matches in the sources of tests: the file and the match. */
  private static List<String> matches(String pattern, Predicate<MatchResult> counts)
      throws IOException {
    Pattern compiled = Pattern.compile(pattern);
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(CHECKOUT)) {
      for (Path file : files.filter(TestSourcesTest::isTestSource).toList()) {
        compiled
            .matcher(Files.readString(file))
            .results()
            .filter(counts)
            .forEach(match -> found.add(file.getFileName() + ": " + match.group()));
      }
    }
    return found;
  }

  private static boolean isTestSource(Path file) {
    return file.toString().endsWith(".java")
        && CHECKOUT.relativize(file).toString().matches("[a-z]+/src/test/java/.*")
        && !file.endsWith("TestSourcesTest.java");
  }

  @Test
  void noTestSleeps() throws IOException {
    assertThat(matches("\\b\\w+\\.sleep\\(", any -> true)).isEmpty();
  }

  @Test
  void noTestCollectsTheHeapAgainAndAgain() throws IOException {
    assertThat(matches("(while|for) \\([^\n]*\\{\\s*System\\.gc\\(\\)", any -> true)).isEmpty();
  }

  @Test
  void noLimitIsBelowAMinute() throws IOException {
    Predicate<MatchResult> tooShort = match -> Integer.parseInt(match.group(1)) < LEAST_SECONDS;
    assertThat(matches("@Timeout\\((\\d+)\\)", tooShort)).isEmpty();
    assertThat(
            matches(
                "\\.(?:get|await|join|waitFor|awaitTermination|orTimeout)\\((\\d+),"
                    + " TimeUnit\\.SECONDS\\)",
                tooShort))
        .isEmpty();
    assertThat(matches("\\.atMost\\(Duration\\.ofSeconds\\((\\d+)\\)", tooShort)).isEmpty();
    assertThat(matches("\\.atMost\\(Duration\\.ofMillis\\(.*", any -> true)).isEmpty();
  }

  @Test
  void whatHasALongFormIsTagged() throws IOException {
    try (Stream<Path> files = Files.walk(CHECKOUT)) {
      assertThat(
              files
                  .filter(TestSourcesTest::isTestSource)
                  .filter(file -> file.toString().endsWith("Test.java"))
                  .filter(file -> text(file).matches("(?s).*(Effort\\.|\"cairn\\.long\").*"))
                  .filter(file -> !text(file).matches("(?s).*@Tag\\(\"(forms|long)\"\\).*")))
          .isEmpty();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
