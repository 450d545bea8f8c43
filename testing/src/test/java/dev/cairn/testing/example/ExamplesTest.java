package dev.cairn.testing.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;

/** The examples of {@code docs/TESTING.md} are those that run here. */
class ExamplesTest {
  private static final Path PAGE = Path.of("..", "docs", "TESTING.md");
  private static final Path SOURCES = Path.of("src/test/java/dev/cairn/testing/example");

  @Test
  void theRuleRunsATestOfJUnit4() {
    Result result = JUnitCore.runClasses(ClassicNotes.class);
    assertThat(result.getFailures()).isEmpty();
    assertThat(result.getRunCount()).isEqualTo(1);
  }

  @Test
  void thePageShowsTheExamplesAsTheyRun() throws IOException {
    String page = Files.readString(PAGE);
    for (String example : List.of("JupiterNotesTest.java", "CairnRule.java", "ClassicNotes.java")) {
      String source = Files.readString(SOURCES.resolve(example));
      int begin = source.indexOf('\n', source.indexOf("// example: ")) + 1;
      assertThat(page).contains(source.substring(begin, source.indexOf("// end")));
    }
  }

  @Test
  void usersOfJUnit5NeedNoJUnit4() throws IOException {
    assertThat(Files.readString(Path.of("pom.xml")))
        .contains("<artifactId>junit</artifactId><scope>test</scope>");
  }
}
