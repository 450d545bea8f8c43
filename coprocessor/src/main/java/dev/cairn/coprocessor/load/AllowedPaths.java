package dev.cairn.coprocessor.load;

import dev.cairn.server.hook.HookKeys;
import dev.cairn.server.hook.ServerHost;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;

/**
 * The paths from which tables may load code.
 *
 * @param places folders or patterns, of the default file system if they have no scheme; {@code *}
 *     allows all
 */
record AllowedPaths(List<String> places) {
  /** What Hadoop expands in patterns before it resolves folders, except {@code *}. */
  private static final String EXPANDED = "{}[]?\\";

  /** Returns the places of a site, or their default. */
  static AllowedPaths of(ServerHost host) {
    String text = host.config().get(HookKeys.ALLOWED_PATHS).strip();
    if (text.isEmpty()) {
      return new AllowedPaths(host.allowsAnyJar() ? List.of("*") : List.of());
    }
    return new AllowedPaths(Arrays.stream(text.split(",")).map(String::strip).toList());
  }

  /**
   * Tells whether a table may name a jar. The jar may be a pattern: what Hadoop finds for a pattern
   * that is allowed is below a place as well.
   *
   * @param standard the default file system
   */
  boolean allow(String jar, URI standard) {
    return places.contains("*")
        || EXPANDED.chars().noneMatch(one -> jar.indexOf(one) >= 0)
            && places.stream()
                .filter(place -> !place.isEmpty())
                .anyMatch(place -> covers(place, new Path(jar), standard));
  }

  private static boolean covers(String place, Path jar, URI standard) {
    String whole = normal(jar, standard);
    if ((whole + "/").contains("/../")) {
      return false;
    }
    String folder = normal(new Path(place), standard);
    String pattern =
        Arrays.stream(folder.split("\\*", -1))
            .map(Pattern::quote)
            .reduce((one, other) -> one + ".*" + other)
            .orElseThrow();
    return whole.matches("(?s)" + pattern + "(/.*)?");
  }

  /** Returns the same text for all ways to write a path. */
  private static String normal(Path path, URI standard) {
    URI uri = path.toUri();
    boolean ofStandard = uri.getScheme() == null || uri.getScheme().equals(standard.getScheme());
    String authority =
        uri.getAuthority() == null && ofStandard ? standard.getAuthority() : uri.getAuthority();
    return (uri.getScheme() == null ? standard.getScheme() : uri.getScheme())
        + ":"
        + (authority == null ? "" : "//" + authority)
        + uri.getPath();
  }
}
