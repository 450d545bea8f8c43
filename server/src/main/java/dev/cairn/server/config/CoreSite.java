package dev.cairn.server.config;

import java.nio.file.Path;
import java.util.Map;

/**
 * The settings of Hadoop's {@code core-site.xml} that {@link SecurityRules} covers. HBase reads
 * that file from its configuration folder, too: Hadoop's login takes {@code
 * hadoop.security.authentication} from there, whatever {@code hbase-site.xml} says. Immutable.
 *
 * @param file the file, which need not exist
 * @param texts its keys with their texts
 */
public record CoreSite(Path file, Map<String, String> texts) {
  /** The file's name. */
  public static final String FILE_NAME = "core-site.xml";

  /** Copies the keys. */
  public CoreSite {
    texts = Map.copyOf(texts);
  }

  /** Returns the settings of a site without such a file. */
  static CoreSite none() {
    return new CoreSite(Path.of(FILE_NAME), Map.of());
  }
}
