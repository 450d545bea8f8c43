package dev.cairn.launcher.demo;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The contents of a POM, as written: nothing is inherited, no property replaced.
 *
 * @param group its own group, if it has one
 * @param artifact its own
 * @param version its own version, if it has one
 * @param parent the POM that it inherits from
 * @param properties its properties
 * @param dependencies its dependencies
 * @param managed versions for POMs that inherit from it, and for itself
 */
record Pom(
    Optional<String> group,
    String artifact,
    Optional<String> version,
    Optional<Coordinates> parent,
    Map<String, String> properties,
    List<Dependency> dependencies,
    List<Dependency> managed) {
  /** Makes everything unchangeable. */
  Pom {
    properties = Map.copyOf(properties);
    dependencies = List.copyOf(dependencies);
    managed = List.copyOf(managed);
  }

  /**
   * A dependency.
   *
   * @param group the other's group
   * @param artifact the other's name
   * @param version the other's version, if one is said here
   * @param scope its scope; {@code compile} if none is given
   * @param optional whether dependents of this one can do without it
   */
  record Dependency(
      String group, String artifact, Optional<String> version, String scope, boolean optional) {}
}
