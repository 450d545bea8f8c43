package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * {@code bin/cairn.calls} names methods that the JVM compiles apart. It passes over a name that it
 * does not find, so a method that is renamed would quietly be repeated in its callers again.
 */
class CompiledApartTest {
  private static final Path FILE = Path.of("..", "bin", "cairn.calls");
  private static final String COMMAND = "dontinline ";

  @Test
  void everyMethodThatIsCompiledApartExists() throws Exception {
    for (String method : methods()) {
      int end = method.indexOf("::");
      Class<?> owner = Class.forName(method.substring(0, end), false, getClass().getClassLoader());

      assertThat(owner.getDeclaredMethods())
          .as(method)
          .extracting(Method::getName)
          .contains(method.substring(end + 2));
    }
  }

  @Test
  void noMethodIsNamedTwice() throws IOException {
    assertThat(methods()).isNotEmpty().doesNotHaveDuplicates();
  }

  @Test
  void nothingIsPrintedOfItWhenAServerStarts() throws IOException {
    // Each command that stands before it would be.
    assertThat(commands().get(0)).isEqualTo("quiet");
  }

  private static List<String> methods() throws IOException {
    return commands().stream()
        .filter(line -> line.startsWith(COMMAND))
        .map(line -> line.substring(COMMAND.length()))
        .toList();
  }

  private static List<String> commands() throws IOException {
    return Files.readAllLines(FILE).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .toList();
  }
}
