package dev.cairn.launcher.demo;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Returns the references of a POM, with the properties and managed versions of the POM and of those
 * it inherits from, if the source has them. Imported BOMs, profiles and version ranges are not
 * followed. For one thread.
 */
final class PomResolver {
  private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");

  /** More than any real chain of parents or properties; ends circles. */
  private static final int DEPTH_MAX = 20;

  private final PomSource source;
  private final PomReader reader;
  private final Map<Coordinates, Optional<Pom>> read = new HashMap<>();

  PomResolver(PomSource source, PomReader reader) {
    this.source = source;
    this.reader = reader;
  }

  /** Returns what {@code pom}, which is that of {@code self}, refers to, in its order. */
  List<Reference> references(Coordinates self, Pom pom) throws IOException {
    List<Pom> chain = chain(pom);
    Map<String, String> properties = properties(self, chain);
    Map<String, String> managed = managedVersions(chain, properties);
    List<Reference> references = new ArrayList<>();
    pom.parent()
        .ifPresent(
            parent ->
                references.add(
                    new Reference(
                        parent.group(),
                        parent.artifact(),
                        fixed(expand(parent.version(), properties)),
                        "parent")));
    for (Pom.Dependency dependency : pom.managed()) {
      if (dependency.scope().equals("import")) {
        references.add(reference(dependency, properties, managed));
      }
    }
    for (Pom.Dependency dependency : pom.dependencies()) {
      references.add(reference(dependency, properties, managed));
    }
    return references;
  }

  private static Reference reference(
      Pom.Dependency dependency, Map<String, String> properties, Map<String, String> managed) {
    String group = expand(dependency.group(), properties);
    String artifact = expand(dependency.artifact(), properties);
    Optional<String> version =
        dependency
            .version()
            .map(text -> expand(text, properties))
            .or(() -> Optional.ofNullable(managed.get(group + ":" + artifact)))
            .flatMap(PomResolver::fixed);
    String kind = dependency.scope() + (dependency.optional() ? " optional" : "");
    return new Reference(group, artifact, version, kind);
  }

  /** Returns the version if it names one: no range, no undefined property. */
  private static Optional<String> fixed(String version) {
    boolean open =
        version.isEmpty()
            || version.contains("${")
            || version.startsWith("[")
            || version.startsWith("(");
    return open ? Optional.empty() : Optional.of(version);
  }

  /** Returns the POM and those it inherits from, nearest first. */
  private List<Pom> chain(Pom pom) throws IOException {
    List<Pom> chain = new ArrayList<>();
    Optional<Pom> next = Optional.of(pom);
    while (next.isPresent() && chain.size() < DEPTH_MAX) {
      chain.add(next.get());
      Optional<Coordinates> parent = next.get().parent();
      next = parent.isPresent() ? find(parent.get()) : Optional.empty();
    }
    return chain;
  }

  private Optional<Pom> find(Coordinates of) throws IOException {
    Optional<Pom> known = read.get(of);
    if (known == null) {
      known = readPom(of);
      read.put(of, known);
    }
    return known;
  }

  private Optional<Pom> readPom(Coordinates of) throws IOException {
    try {
      return Optional.of(reader.read(source.readPom(of)));
    } catch (NoSuchFileException | DamagedPomException | java.nio.file.InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static Map<String, String> properties(Coordinates self, List<Pom> chain) {
    Map<String, String> properties = new HashMap<>();
    for (Pom pom : chain) {
      pom.properties().forEach(properties::putIfAbsent);
    }
    for (String prefix : List.of("project.", "pom.", "")) {
      properties.put(prefix + "groupId", self.group());
      properties.put(prefix + "artifactId", self.artifact());
      properties.put(prefix + "version", self.version());
    }
    chain
        .get(0)
        .parent()
        .ifPresent(
            parent -> {
              properties.put("project.parent.groupId", parent.group());
              properties.put("project.parent.artifactId", parent.artifact());
              properties.put("project.parent.version", parent.version());
            });
    return properties;
  }

  private static Map<String, String> managedVersions(
      List<Pom> chain, Map<String, String> properties) {
    Map<String, String> managed = new HashMap<>();
    for (Pom pom : chain) {
      for (Pom.Dependency dependency : pom.managed()) {
        dependency
            .version()
            .ifPresent(
                version ->
                    managed.putIfAbsent(
                        expand(dependency.group(), properties)
                            + ":"
                            + expand(dependency.artifact(), properties),
                        expand(version, properties)));
      }
    }
    return managed;
  }

  private static String expand(String text, Map<String, String> properties) {
    String expanded = text;
    for (int depth = 0; depth < DEPTH_MAX && expanded.contains("${"); depth++) {
      String next =
          PROPERTY
              .matcher(expanded)
              .replaceAll(
                  match ->
                      Matcher.quoteReplacement(
                          properties.getOrDefault(match.group(1), match.group())));
      if (next.equals(expanded)) {
        return expanded;
      }
      expanded = next;
    }
    return expanded;
  }
}
