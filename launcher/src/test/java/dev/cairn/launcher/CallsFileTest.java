package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.cairn.engine.compile.CompiledApart;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The JVM passes over a method that it does not find in {@code lib/cairn.calls}, so a method that
 * is missing there would quietly be repeated in its callers again.
 */
class CallsFileTest {
  private static final Path FILE = Path.of("..", "lib", "cairn.calls");
  private static final String COMMAND = "dontinline ";

  @Test
  void theInstalledListHasExactlyTheMarkedMethodsOfTheProject() throws IOException {
    Set<String> marked =
        new ClassFileImporter()
            .importPackages("dev.cairn").stream()
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.isAnnotatedWith(CompiledApart.class))
                .map(CallsFileTest::name)
                .collect(Collectors.toCollection(TreeSet::new));

    assertThat(methods())
        .filteredOn(method -> method.startsWith("dev.cairn."))
        .containsExactlyElementsOf(marked);
  }

  @Test
  void thePathsOfReadsAndWritesAndOfTheirCallsHaveJoints() throws IOException {
    assertThat(methods())
        .anyMatch(method -> method.startsWith("dev.cairn.server.rpc."))
        .anyMatch(method -> method.startsWith("dev.cairn.server.regionserver."))
        .anyMatch(method -> method.startsWith("dev.cairn.engine.scan."))
        .anyMatch(method -> method.startsWith("dev.cairn.engine.memstore."))
        .anyMatch(method -> method.startsWith("dev.cairn.engine.wal."));
  }

  @Test
  void everyForeignMethodExists() throws Exception {
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

  private static String name(JavaMethod method) {
    return method.getOwner().getName() + "::" + method.getName();
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
