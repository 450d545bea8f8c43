package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs the cases of {@code src/test/resources/cases}, each in every {@link TableShape} of its
 * scope. {@code -Dcairn.rewrite=true} first replaces the answers in the files by those of {@link
 * TableShape#MEMORY}.
 */
class TextCasesTest {
  private static final Path CASES = Path.of("src", "test", "resources", "cases");

  @TestFactory
  Stream<DynamicContainer> cases() throws IOException {
    try (Stream<Path> files = Files.list(CASES)) {
      return files.filter(file -> file.toString().endsWith(".txt")).sorted().toList().stream()
          .map(TextCasesTest::container);
    }
  }

  private static DynamicContainer container(Path file) {
    try {
      if (Boolean.getBoolean("cairn.rewrite")) {
        TextCase.rewrite(file, () -> new CaseTable(TableShape.MEMORY));
      }
      return DynamicContainer.dynamicContainer(
          file.getFileName().toString(), TextCase.read(file).stream().map(TextCasesTest::test));
    } catch (IOException e) {
      throw new AssertionError("Cannot read the cases of " + file, e);
    }
  }

  private static DynamicTest test(TextCase textCase) {
    return DynamicTest.dynamicTest(
        textCase.sentence(),
        () -> {
          for (TableShape shape : TableShape.of(textCase.scope())) {
            try (CaseTable table = new CaseTable(shape)) {
              textCase.run(shape.name(), table);
            }
          }
        });
  }

  @Test
  void aFailureShowsWhichLinesDiffer() {
    assertThat(TextCase.difference(List.of("a", "b", "c"), List.of("a", "c", "d")).lines())
        .containsExactly("      a", "    - b", "      c", "    + d");
  }
}
