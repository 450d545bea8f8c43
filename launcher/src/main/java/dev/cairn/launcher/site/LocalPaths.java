package dev.cairn.launcher.site;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads local folders from settings, in which HBase allows paths and URLs of file systems. */
public final class LocalPaths {
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):.*");

  private LocalPaths() {}

  /**
   * Returns the folder that the value of a key names.
   *
   * @param key the key, for error messages
   * @param text a path or a {@code file:} URL
   * @param home the base of relative paths; the working directory if empty
   * @throws ConfigException if the value is neither, or names another file system
   */
  public static Path absolute(ConfigKey<String> key, String text, Optional<Path> home) {
    Path path = local(key.name(), text);
    return home.map(base -> base.resolve(path)).orElse(path).toAbsolutePath().normalize();
  }

  /** Tells whether a value is a URL of another file system than the local one. */
  public static boolean isForeign(String text) {
    return text.contains(":/") && !text.startsWith("file:");
  }

  /**
   * Returns the canonical name of a folder: an absolute path, or a URL of another file system
   * without a slash at its end.
   */
  public static String plain(String text) {
    return isForeign(text)
        ? text.replaceFirst("/+$", "")
        : Path.of(text.replaceFirst("^file:/+", "/")).toAbsolutePath().normalize().toString();
  }

  private static Path local(String key, String text) {
    var scheme = SCHEME.matcher(text);
    try {
      if (!scheme.matches()) {
        return Path.of(text);
      }
      if (!scheme.group(1).equalsIgnoreCase("file")) {
        throw new ConfigException(
            key
                + " must be a local folder (a path or a file: URL), not <"
                + text
                + ">. A folder on HDFS is for servers of a cluster: set hbase.cluster.distributed to"
                + " true, and start them by their roles, such as bin/cairn start master");
      }
      URI uri = URI.create(text);
      if (uri.getPath() == null
          || (uri.getAuthority() != null && !uri.getAuthority().equals("localhost"))) {
        throw new ConfigException(key + " must have the form file:///folder, not <" + text + ">");
      }
      return Path.of(uri.getPath());
    } catch (InvalidPathException e) {
      throw new ConfigException(key + " is not a path: <" + text + ">", e);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(key + " is not a file: URL: <" + text + ">", e);
    }
  }
}
