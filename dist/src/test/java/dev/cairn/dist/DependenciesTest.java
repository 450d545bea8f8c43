package dev.cairn.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.dist.DeclaredDependencies.Declared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/DEPENDENCIES.md} lists the libraries that the build declares, and the other jars of
 * the packages. To generate it: {@code mvn -pl dist -am verify -Dtest=DependenciesTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dcairn.rewrite=true}.
 */
class DependenciesTest {
  private static final Path CHECKOUT = Path.of("..");
  private static final Path PAGE = CHECKOUT.resolve("docs/DEPENDENCIES.md");
  private static final Path PURPOSES = Path.of("src/test/resources/dependencies/purposes.txt");
  private static final Path HEAD = Path.of("src/test/resources/dependencies/head.md");

  /** The class paths of the packages, and what runs with each. */
  private static final Map<String, String> LISTS =
      Map.of(
          "cairn",
          "server",
          "coprocessor",
          "coprocessors",
          "mapreduce",
          "jobs",
          "gateways",
          "gateways");

  private static final Pattern JAR = Pattern.compile("lib/(.+?)-(\\d.*)\\.jar");

  /**
   * A line of {@code purposes.txt}.
   *
   * @param names {@code group:artifact}; a star at the end matches any rest of a name
   */
  private record Purpose(String names, String licence, String sentence) {
    boolean covers(String name) {
      return names.endsWith("*")
          ? name.startsWith(names.substring(0, names.length() - 1))
          : name.equals(names);
    }
  }

  @Test
  void thePageListsEachDependencyWithItsPurpose() throws IOException {
    List<Purpose> purposes = purposes();
    DeclaredDependencies declared = new DeclaredDependencies(CHECKOUT);
    String page =
        Files.readString(HEAD)
            + table("Libraries", "Modules", declared.libraries(), purposes)
            + table("Plugins of the build", "", declared.plugins(), purposes)
            + brought(declared.libraries())
            + "\nThis page is generated from the build. `CONTRIBUTING.md` has the command.\n";
    assertThat(purposes).as("purposes of libraries that the build does not declare").isEmpty();
    if (Boolean.getBoolean("cairn.rewrite")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).hasContent(page);
  }

  /** Returns a table, and removes the purposes that it shows from {@code purposes}. */
  private static String table(
      String title, String users, List<Declared> all, List<Purpose> purposes) {
    String column = users.isEmpty() ? "" : " " + users + " |";
    StringBuilder table = new StringBuilder("\n## " + title + "\n| Name | Version | Licence |");
    table.append(column).append(" Purpose |\n| --- | --- | --- |");
    table.append(users.isEmpty() ? "" : " --- |").append(" --- |\n");
    List<Declared> rest = new ArrayList<>(all);
    for (Purpose purpose : List.copyOf(purposes)) {
      List<Declared> covered = rest.stream().filter(one -> purpose.covers(one.name())).toList();
      if (covered.isEmpty()) {
        continue;
      }
      rest.removeAll(covered);
      purposes.remove(purpose);
      String versions =
          covered.stream()
              .map(Declared::version)
              .distinct()
              .sorted()
              .collect(Collectors.joining(", "));
      table.append("| `%s` | %s | %s |".formatted(purpose.names(), versions, purpose.licence()));
      table.append(users.isEmpty() ? "" : " " + modules(covered) + " |");
      table.append(" ").append(purpose.sentence()).append(" |\n");
    }
    assertThat(rest).as("without a line in " + PURPOSES).isEmpty();
    return table.toString();
  }

  private static String modules(List<Declared> covered) {
    Set<String> shipped = new TreeSet<>();
    Set<String> tests = new TreeSet<>();
    covered.forEach(one -> (one.scope().equals("test") ? tests : shipped).add(one.module()));
    tests.removeAll(shipped);
    String inTests = tests.isEmpty() ? "" : "tests of " + String.join(", ", tests);
    return String.join(", ", shipped)
        + (shipped.isEmpty() || tests.isEmpty() ? "" : "; ")
        + inTests;
  }

  /** Returns the table of the packages' jars that no POM of Cairn declares. */
  private static String brought(List<Declared> libraries) throws IOException {
    Set<String> named =
        libraries.stream()
            .map(one -> one.name().substring(one.name().indexOf(':') + 1) + " " + one.version())
            .collect(Collectors.toSet());
    Map<String, Set<String>> users = new TreeMap<>();
    for (Map.Entry<String, String> list : LISTS.entrySet()) {
      Path file = CHECKOUT.resolve("lib/" + list.getKey() + ".classpath");
      for (String jar : Files.readString(file).strip().split(":")) {
        Matcher matcher = JAR.matcher(jar);
        assertThat(matcher.matches()).as(jar).isTrue();
        String version = matcher.group(2).replace("-linux-x86_64", "");
        if (!jar.startsWith("lib/cairn-") && !named.contains(matcher.group(1) + " " + version)) {
          users
              .computeIfAbsent("`" + matcher.group(1) + "` | " + version, key -> new TreeSet<>())
              .add(list.getValue());
        }
      }
    }
    StringBuilder table = new StringBuilder("\n## Jars that these libraries need\n");
    table.append("| Jar | Version | Needed by |\n| --- | --- | --- |\n");
    users.forEach((jar, by) -> table.append("| %s | %s |\n".formatted(jar, String.join(", ", by))));
    return table.toString();
  }

  private static List<Purpose> purposes() throws IOException {
    List<Purpose> purposes = new ArrayList<>();
    for (String line : Files.readAllLines(PURPOSES)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] parts = line.split(" \\| ");
        assertThat(parts).as(line).hasSize(3);
        purposes.add(new Purpose(parts[0], parts[1], parts[2]));
      }
    }
    return purposes;
  }
}
