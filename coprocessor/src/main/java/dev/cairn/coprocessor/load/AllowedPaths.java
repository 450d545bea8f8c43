package dev.cairn.coprocessor.load;

import dev.cairn.server.hook.HookKeys;
import dev.cairn.server.hook.ServerHost;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;

/**
 * The paths from which tables may load code.
 *
 * @param places folders or patterns, with or without a scheme; {@code *} allows all
 */
record AllowedPaths(List<String> places) {
  /** Returns the paths of a site, or their default. */
  static AllowedPaths of(ServerHost host) {
    String text = host.config().get(HookKeys.ALLOWED_PATHS).strip();
    if (text.isEmpty()) {
      return new AllowedPaths(host.allowsAnyJar() ? List.of("*") : List.of());
    }
    return new AllowedPaths(Arrays.stream(text.split(",")).map(String::strip).toList());
  }

  /** Tells whether a table may name a jar. */
  boolean allow(String jar) {
    return places.stream().anyMatch(place -> covers(place, new Path(jar)));
  }

  private static boolean covers(String place, Path jar) {
    if (place.equals("*")) {
      return true;
    }
    if (place.isEmpty()) {
      return false;
    }
    boolean hasScheme = place.matches("[A-Za-z][A-Za-z0-9+.-]*:.*");
    String path = Path.getPathWithoutSchemeAndAuthority(jar).toString();
    if (path.contains("/../")) {
      return false;
    }
    String whole = hasScheme ? normal(jar) : path;
    String folder = hasScheme ? normal(new Path(place)) : place.replaceAll("/+$", "");
    String pattern =
        Arrays.stream(folder.split("\\*", -1))
            .map(Pattern::quote)
            .reduce((one, other) -> one + ".*" + other)
            .orElseThrow();
    return whole.matches("(?s)" + pattern + "(/.*)?");
  }

  /**
   * Returns the same text for all spellings of a path, such as {@code file:/x} and {@code
   * file:///x}.
   */
  private static String normal(Path path) {
    return path.toUri().getScheme()
        + ":"
        + (path.toUri().getAuthority() == null ? "" : "//" + path.toUri().getAuthority())
        + path.toUri().getPath();
  }
}
