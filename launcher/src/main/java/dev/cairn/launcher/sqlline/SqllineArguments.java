package dev.cairn.launcher.sqlline;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The arguments of {@code cairn sqlline}.
 *
 * @param url the URL of Phoenix's driver, if an argument names the cluster
 * @param script the file with statements, if any
 * @param options further options, for sqlline
 */
record SqllineArguments(Optional<String> url, Optional<String> script, List<String> options) {
  /** The options of sqlline that take the next word. */
  private static final Set<String> WITH_VALUE =
      Set.of("-u", "-n", "-p", "-d", "-e", "-nn", "-ch", "-f", "-log", "-ac", "-ph");

  /**
   * The options that Phoenix's {@code sqlline.py} sets, except {@code fastConnect}: it is false
   * there, so each start reads the names of all tables and columns. The user's options follow.
   */
  private static final List<String> DEFAULTS =
      List.of(
          "-d",
          SqllineCommand.DRIVER,
          "-n",
          "none",
          "-p",
          "none",
          "--fastConnect=true",
          "--verbose=true",
          "--incremental=false",
          "--isolation=TRANSACTION_READ_COMMITTED");

  /** The width of the output without a terminal, in characters. */
  private static final int WIDTH = 100_000;

  /**
   * Parses {@code [CLUSTER] [FILE] [OPTION...]}. A single word that is the name of a file is FILE.
   *
   * @throws IllegalArgumentException if there are more words, a value is missing, or the single
   *     word looks like the name of a file that does not exist
   */
  static SqllineArguments parse(List<String> arguments) {
    Optional<String> url = Optional.empty();
    Optional<String> script = Optional.empty();
    List<String> options = new ArrayList<>();
    List<String> words = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (!argument.startsWith("-")) {
        words.add(argument);
        continue;
      }
      String value = "";
      if (WITH_VALUE.contains(argument)) {
        if (++i == arguments.size()) {
          throw new IllegalArgumentException("Missing value after " + argument);
        }
        value = arguments.get(i);
      }
      switch (argument) {
        case "-u" -> url = Optional.of(value);
        case "-f" -> script = Optional.of(value);
        default -> {
          options.add(argument);
          if (WITH_VALUE.contains(argument)) {
            options.add(value);
          }
        }
      }
    }
    boolean named = words.size() > 1 || words.size() == 1 && !isFile(words.get(0));
    if (named) {
      String cluster = words.remove(0);
      if (cluster.endsWith(".sql") || cluster.contains("/") && !cluster.contains(":")) {
        throw new IllegalArgumentException("There is no file " + cluster);
      }
      url = Optional.of(PhoenixUrl.of(cluster));
    }
    if (!words.isEmpty()) {
      script = Optional.of(words.remove(0));
    }
    if (!words.isEmpty()) {
      throw new IllegalArgumentException("Unexpected argument: " + words.get(0));
    }
    return new SqllineArguments(url, script, List.copyOf(options));
  }

  private static boolean isFile(String word) {
    return Files.isRegularFile(Path.of(word));
  }

  /**
   * Returns the arguments for sqlline.
   *
   * @param cluster the URL
   * @param terminal whether the output is a terminal; sqlline shortens rows to its width
   */
  String[] forSqlline(String cluster, boolean terminal) {
    List<String> all = new ArrayList<>(List.of("-u", cluster));
    all.addAll(DEFAULTS);
    all.add("--color=" + terminal);
    if (!terminal) {
      all.add("--maxWidth=" + WIDTH);
    }
    script.ifPresent(file -> all.add("--run=" + file));
    all.addAll(options);
    return all.toArray(String[]::new);
  }
}
