package dev.cairn.server.config;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One key of {@code hbase-site.xml}, defined once.
 *
 * @param name the key, HBase's own wherever HBase has one
 * @param defaultText the default value, as it would be written in the file
 * @param range the possible values, for people
 * @param sentence the key's effect, one sentence or a few
 * @param parse turns the text into a value; throws {@link IllegalArgumentException} if it is none
 * @param possible tells whether a value is in range
 * @param oldNames former names of the key, with the same meaning; they are used if it is not set
 * @param changesAtRunTime whether a new value takes effect when the settings are read again ({@link
 *     LiveConfig#reload}); if not, it takes effect at the next start
 */
public record ConfigKey<T>(
    String name,
    String defaultText,
    String range,
    String sentence,
    Function<String, T> parse,
    Predicate<T> possible,
    List<String> oldNames,
    boolean changesAtRunTime) {

  /** Copies the names. */
  public ConfigKey {
    oldNames = List.copyOf(oldNames);
  }

  /** Defines a key that always had its name, and whose values take effect at the start. */
  public ConfigKey(
      String name,
      String defaultText,
      String range,
      String sentence,
      Function<String, T> parse,
      Predicate<T> possible) {
    this(name, defaultText, range, sentence, parse, possible, List.of(), false);
  }

  /** Returns this key with names that it had, the newest first. */
  public ConfigKey<T> formerly(String... names) {
    return new ConfigKey<>(
        name, defaultText, range, sentence, parse, possible, List.of(names), changesAtRunTime);
  }

  /** Returns this key as one whose values change at run time. */
  public ConfigKey<T> atRunTime() {
    return new ConfigKey<>(name, defaultText, range, sentence, parse, possible, oldNames, true);
  }

  /** Defines a whole number from {@code least} to {@code most}. */
  public static ConfigKey<Long> number(
      String name, long defaultValue, long least, long most, String sentence) {
    return new ConfigKey<>(
        name,
        Long.toString(defaultValue),
        least + " to " + most,
        sentence,
        Long::parseLong,
        value -> value >= least && value <= most);
  }

  /** Defines a port: 0 for any free one. */
  public static ConfigKey<Integer> port(String name, int defaultValue, String sentence) {
    return new ConfigKey<>(
        name,
        Integer.toString(defaultValue),
        "0 to 65535, 0 for any free port",
        sentence,
        Integer::parseInt,
        value -> value >= 0 && value <= 65535);
  }

  /** Defines a port that may be missing: 0 for any free one, -1 for none. */
  public static ConfigKey<Integer> optionalPort(String name, int defaultValue, String sentence) {
    return new ConfigKey<>(
        name,
        Integer.toString(defaultValue),
        "-1 to 65535, 0 for any free port, -1 for none",
        sentence,
        Integer::parseInt,
        value -> value >= -1 && value <= 65535);
  }

  /** Defines a part of a whole. */
  public static ConfigKey<Double> fraction(String name, String defaultText, String sentence) {
    return new ConfigKey<>(
        name,
        defaultText,
        "a number from 0 to 1",
        sentence,
        Double::parseDouble,
        value -> value >= 0 && value <= 1);
  }

  /** Defines a switch. */
  public static ConfigKey<Boolean> flag(String name, boolean defaultValue, String sentence) {
    return new ConfigKey<>(
        name,
        Boolean.toString(defaultValue),
        "true or false",
        sentence,
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException("neither true nor false");
            },
        value -> true);
  }

  /** Defines a text. */
  public static ConfigKey<String> text(String name, String defaultValue, String sentence) {
    return new ConfigKey<>(name, defaultValue, "text", sentence, text -> text, value -> true);
  }

  /**
   * Parses {@code text}.
   *
   * @throws ConfigException naming the key, the text and the possible values
   */
  public T value(String text) {
    return value(name, text);
  }

  /**
   * Parses {@code text}.
   *
   * @param writtenAs the key's name or old name that has the text
   * @throws ConfigException naming the key as it is written, the text and the possible values
   */
  T value(String writtenAs, String text) {
    T value;
    try {
      value = parse.apply(text.trim());
    } catch (IllegalArgumentException e) {
      throw new ConfigException(writtenAs + " must be " + range + ", not <" + text + ">", e);
    }
    if (!possible.test(value)) {
      throw new ConfigException(writtenAs + " must be " + range + ", not <" + text + ">");
    }
    return value;
  }
}
