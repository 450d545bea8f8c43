package dev.cairn.launcher;

import dev.cairn.server.config.ConfigException;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What <code>${name}</code> stands for in a value of {@code hbase-site.xml}, as in Hadoop's
 * configuration files: {@code env.NAME} (also {@code env.NAME-default}, {@code env.NAME:-default})
 * a variable of the environment, otherwise a Java system property, otherwise another key of the
 * file. What stands for nothing is left as it is.
 *
 * @param properties the system properties
 * @param environment the environment
 */
record Variables(Properties properties, Map<String, String> environment) {
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}$\\s]+)}");
  private static final Pattern ENVIRONMENT = Pattern.compile("env\\.([^:-]+)(?:(:?-)(.*))?");

  /** As deep as Hadoop goes. */
  private static final int DEPTH_MAX = 20;

  /**
   * Returns {@code text} with everything replaced that stands for something.
   *
   * @param keys the texts of the file, by key
   * @throws ConfigException if names stand for each other in a circle
   */
  String expand(String text, Map<String, String> keys) {
    String expanded = text;
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
      String before = expanded;
      expanded =
          REFERENCE
              .matcher(before)
              .replaceAll(
                  match ->
                      Matcher.quoteReplacement(
                          meaning(match.group(1), keys).orElse(match.group())));
      if (expanded.equals(before)) {
        return expanded;
      }
    }
    throw new ConfigException("the value " + text + " refers to itself");
  }

  private Optional<String> meaning(String name, Map<String, String> keys) {
    Matcher matcher = ENVIRONMENT.matcher(name);
    if (matcher.matches()) {
      Optional<String> value = Optional.ofNullable(environment.get(matcher.group(1)));
      boolean emptyCounts = !":-".equals(matcher.group(2));
      return value
          .filter(text -> emptyCounts || !text.isEmpty())
          .or(() -> Optional.ofNullable(matcher.group(3)));
    }
    return Optional.ofNullable(properties.getProperty(name))
        .or(() -> Optional.ofNullable(keys.get(name)));
  }
}
