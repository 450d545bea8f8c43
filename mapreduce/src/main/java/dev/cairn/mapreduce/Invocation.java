package dev.cairn.mapreduce;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The words of a command line. Only the options before the job's name are Cairn's own.
 *
 * @param config the folder that {@code --config} names
 * @param job the job's name as typed; empty if there is none
 * @param arguments the job's own arguments, unchanged
 */
record Invocation(Optional<Path> config, Optional<String> job, List<String> arguments) {
  private static final String CONFIG = "--config";
  private static final String COMMAND = "mapreduce";
  private static final String SNAPSHOT = "snapshot";

  /** The jobs of {@code bin/cairn snapshot}, as of {@code hbase snapshot}. */
  private static final Map<String, String> SNAPSHOT_JOBS =
      Map.of("create", "createsnapshot", "export", "exportsnapshot", "info", "snapshotinfo");

  /**
   * Reads a command line: {@code [--config DIR] [mapreduce] JOB ARGUMENTS…}, or {@code [--config
   * DIR] snapshot create|export|info ARGUMENTS…}.
   *
   * @throws IllegalArgumentException if {@code --config} has no value, another option precedes the
   *     job, or {@code snapshot} precedes another word
   */
  static Invocation parse(List<String> words) {
    Optional<Path> config = Optional.empty();
    boolean named = false;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.startsWith(CONFIG + "=")) {
        config = Optional.of(Path.of(word.substring(CONFIG.length() + 1)));
      } else if (word.equals(CONFIG)) {
        if (++i == words.size()) {
          throw new IllegalArgumentException("Missing folder after --config");
        }
        config = Optional.of(Path.of(words.get(i)));
      } else if (word.equals(COMMAND) && !named) {
        named = true;
      } else if (isHelp(word)) {
        return new Invocation(config, Optional.empty(), List.of());
      } else if (word.startsWith("-")) {
        throw new IllegalArgumentException(
            "Unknown option " + word + "; options of a job come after its name");
      } else if (word.equals(SNAPSHOT) && !named) {
        return new Invocation(
            config,
            Optional.of(snapshotJob(words.subList(i + 1, words.size()))),
            List.copyOf(words.subList(i + 2, words.size())));
      } else {
        return new Invocation(
            config, Optional.of(word), List.copyOf(words.subList(i + 1, words.size())));
      }
    }
    return new Invocation(config, Optional.empty(), List.of());
  }

  private static String snapshotJob(List<String> words) {
    String job = words.isEmpty() ? "nothing" : words.get(0);
    if (!SNAPSHOT_JOBS.containsKey(job)) {
      throw new IllegalArgumentException("snapshot takes create, export or info, and not " + job);
    }
    return SNAPSHOT_JOBS.get(job);
  }

  /** Returns the settings among the arguments: {@code -Dkey=value} and {@code -D key=value}. */
  Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    for (int i = 0; i < arguments.size(); i++) {
      String word = arguments.get(i);
      String setting = "";
      if (word.equals("-D") && i + 1 < arguments.size()) {
        setting = arguments.get(++i);
      } else if (word.startsWith("-D")) {
        setting = word.substring(2);
      }
      int equals = setting.indexOf('=');
      if (equals > 0) {
        settings.put(setting.substring(0, equals), setting.substring(equals + 1));
      }
    }
    return settings;
  }

  /** Tells whether the job will show its usage and do nothing. */
  boolean asksForUsage() {
    return arguments.isEmpty() || arguments.stream().anyMatch(Invocation::isHelp);
  }

  private static boolean isHelp(String word) {
    return word.equals("-h") || word.equals("--help");
  }
}
