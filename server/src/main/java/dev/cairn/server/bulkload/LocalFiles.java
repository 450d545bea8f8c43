package dev.cairn.server.bulkload;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** Files of the local disk as clients name them. */
final class LocalFiles {
  private static final String SCHEME = "file:";

  private LocalFiles() {}

  /** Tells whether a name is that of a local file. */
  static boolean isLocal(String url) {
    return url.startsWith("/") || url.startsWith(SCHEME);
  }

  /** Returns the path of a URL, as Java or Hadoop writes it, or of an absolute path. */
  static Path path(String url) throws IOException {
    String path = url.startsWith(SCHEME) ? url.substring(SCHEME.length()) : url;
    try {
      // Hadoop writes file:/a b, without escapes; Java writes file:/a%20b or file:///a%20b.
      return url.startsWith(SCHEME) && path.contains("%")
          ? Path.of(URI.create(url)).normalize()
          : Path.of(path.replaceFirst("^//+", "/")).normalize();
    } catch (IllegalArgumentException e) {
      throw new IOException(url + " is not the path of a local file", e);
    }
  }
}
