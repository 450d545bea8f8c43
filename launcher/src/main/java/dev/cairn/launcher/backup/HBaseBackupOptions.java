package dev.cairn.launcher.backup;

import dev.cairn.launcher.output.LauncherException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of {@code hbase backup} and {@code hbase restore} that Cairn refuses by name. */
final class HBaseBackupOptions {
  @Option(names = "-s", hidden = true)
  private Optional<String> set = Optional.empty();

  @Option(names = "-q", hidden = true)
  private Optional<String> queue = Optional.empty();

  @Option(names = "-y", hidden = true)
  private Optional<String> yarnQueue = Optional.empty();

  @Option(names = "-w", hidden = true)
  private Optional<String> workers = Optional.empty();

  @Option(names = "-b", hidden = true)
  private Optional<String> bandwidth = Optional.empty();

  @Option(names = "-d", hidden = true)
  private boolean debug;

  @Option(names = "-i", hidden = true)
  private boolean ignoresChecksums;

  /**
   * Checks that none of them is given.
   *
   * @throws LauncherException if one is; the message names the alternative
   */
  void check() {
    refuse(set.isPresent(), "-s", "Cairn keeps no backup sets; name the tables with -t");
    String local = "the command copies by itself, without YARN; leave the option out";
    refuse(queue.isPresent(), "-q", local);
    refuse(yarnQueue.isPresent(), "-y", local);
    refuse(workers.isPresent(), "-w", local);
    refuse(bandwidth.isPresent(), "-b", "there is no limit on bandwidth; leave the option out");
    refuse(debug, "-d", "there are no debug messages; leave the option out");
    refuse(ignoresChecksums, "-i", "checksums are always compared; leave the option out");
  }

  private static void refuse(boolean given, String option, String reason) {
    if (given) {
      throw new LauncherException(option + ": " + reason);
    }
  }
}
