package dev.cairn.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * {@code NOTICE} has the notices of all jars of the packages. To generate it: {@code mvn -pl dist
 * -am verify -Dtest=NoticeTest -Dsurefire.failIfNoSpecifiedTests=false -Dcairn.rewrite=true}.
 */
class NoticeTest {
  private static final Path CHECKOUT = Path.of("..");
  private static final Path NOTICE = CHECKOUT.resolve("NOTICE");

  private static final String HEAD =
      """
      Cairn
      Copyright 2026 The Cairn authors

      This product includes software developed at
      The Apache Software Foundation (https://www.apache.org/).

      The source of Cairn contains no code of other projects. Its packages contain libraries of other projects. docs/DEPENDENCIES.md lists
      them with their licences. The notices that their jars contain follow.
      """;

  private static final Pattern FILE = Pattern.compile("(.*/)?notice(?!.*\\.class$)[^/]*");

  /** The notice of a project of the foundation that says nothing else. */
  private static final Pattern USUAL =
      Pattern.compile(
          "([^\\n]+)\\n(Copyright [^\\n]*The Apache Software Foundation\\.?)\\n+"
              + "This product includes software developed at\\n"
              + "\\s*The Apache Software Foundation \\(https?://www\\.apache\\.org/\\)\\.?");

  @Test
  void hasTheNoticesOfAllJars() throws IOException {
    SortedMap<String, SortedSet<String>> server = new TreeMap<>();
    collect("cairn", server);
    collect("coprocessor", server);
    collect("mapreduce", server);
    SortedMap<String, SortedSet<String>> gateways = new TreeMap<>();
    collect("gateways", gateways);
    gateways.keySet().removeAll(server.keySet());
    String notice =
        HEAD
            + section("The package cairn-VERSION.tar.gz", server)
            + section("The package cairn-gateways-VERSION.tar.gz, in addition", gateways);
    if (Boolean.getBoolean("cairn.rewrite")) {
      Files.writeString(NOTICE, notice);
    }
    assertThat(NOTICE).hasContent(notice);
  }

  /** Adds the notices of the jars of a class path, with the jars that have each. */
  private static void collect(String list, Map<String, SortedSet<String>> notices)
      throws IOException {
    String jars = Files.readString(CHECKOUT.resolve("lib/" + list + ".classpath")).strip();
    for (String jar : jars.split(":")) {
      String name = Path.of(jar).getFileName().toString().replace(".jar", "");
      if (!name.startsWith("cairn-")) {
        try (JarFile file = new JarFile(CHECKOUT.resolve(jar).toFile())) {
          for (Enumeration<JarEntry> all = file.entries(); all.hasMoreElements(); ) {
            JarEntry entry = all.nextElement();
            if (FILE.matcher(entry.getName().toLowerCase(Locale.ROOT)).matches()) {
              String text =
                  new String(file.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
              notices.computeIfAbsent(tidy(text), any -> new TreeSet<>()).add(name);
            }
          }
        }
      }
    }
  }

  private static String tidy(String text) {
    return text.lines().map(String::stripTrailing).collect(Collectors.joining("\n")).strip();
  }

  private static String section(String title, SortedMap<String, SortedSet<String>> notices) {
    StringBuilder usual = new StringBuilder();
    StringBuilder others = new StringBuilder();
    notices.forEach(
        (text, jars) -> {
          Matcher matcher = USUAL.matcher(text);
          if (matcher.matches()) {
            usual.append("  %s%n    %s%n".formatted(matcher.group(1).strip(), matcher.group(2)));
          } else {
            others.append(
                "\n%s%n%s:%n%n%s%n".formatted("-".repeat(80), String.join(", ", jars), text));
          }
        });
    String line = "=".repeat(80) + "\n";
    return "\n"
        + line
        + title
        + "\n"
        + line
        + "Software developed at The Apache Software Foundation:\n\n"
        + usual
        + others;
  }
}
