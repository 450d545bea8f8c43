package dev.cairn.launcher.demo;

import java.util.Optional;

/**
 * A reference from one artifact to another.
 *
 * @param group the other's group
 * @param artifact the other's name
 * @param version the other's version; empty if it is a range, or stated where only a full Maven
 *     looks
 * @param kind {@code parent}, {@code import}, or a dependency's scope, with {@code optional}
 *     appended where it is
 */
record Reference(String group, String artifact, Optional<String> version, String kind) {
  /** Returns the row of its target: the artifact without a version if that is not known. */
  String rowKey() {
    return version
        .map(known -> new Coordinates(group, artifact, known).rowKey())
        .orElse(group + ":" + artifact);
  }
}
