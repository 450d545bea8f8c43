package dev.cairn.launcher.site;

import java.nio.file.Path;
import java.util.Properties;

/**
 * Tells Logback what to log; effective only before this process's first line is logged, and unless
 * the user has said otherwise by the same system property.
 */
final class Logging {
  private static final String PROPERTY = "logback.configurationFile";

  private Logging() {}

  /** Configures logging from {@code file}. */
  static void configure(Path file, Properties properties) {
    properties.putIfAbsent(PROPERTY, file.toString());
  }

  /** Configures logging from the built-in copy of {@code conf/logback.xml}. */
  static void byDefault(Properties properties) {
    properties.putIfAbsent(PROPERTY, "dev/cairn/launcher/logback.xml");
  }

  /** Logs nothing, and spares setting Logback up, unless the user has a file for it. */
  static void none(Properties properties) {
    if (!properties.containsKey(PROPERTY)) {
      properties.putIfAbsent("slf4j.provider", "org.slf4j.helpers.NOP_FallbackServiceProvider");
      properties.putIfAbsent("slf4j.internal.verbosity", "WARN"); // or it reports the line above
    }
  }

  /** Logs errors only, to standard error. */
  static void quiet(Properties properties) {
    properties.putIfAbsent(PROPERTY, "dev/cairn/launcher/quiet-logback.xml");
  }
}
