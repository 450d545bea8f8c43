package dev.cairn.launcher;

import java.io.PrintWriter;
import java.util.List;

/** Prints what is known of a server, one fact per line, aligned. */
final class Descriptions {
  private static final int WARNINGS_MAX = 3;

  private Descriptions() {}

  /** Prints where a server can be reached. */
  static void print(Addresses addresses, PrintWriter out) {
    line("ZooKeeper", addresses.zooKeeper(), out);
    line("master", addresses.master(), out);
    line("region server", addresses.regionServer(), out);
    addresses.web().ifPresent(url -> line("web", url, out));
  }

  /**
   * Prints the first warnings about settings, and the number of the others.
   *
   * @param log where all warnings are
   */
  static void printWarnings(List<String> warnings, String log, PrintWriter out) {
    warnings.stream().limit(WARNINGS_MAX).forEach(warning -> line("warning", warning, out));
    if (warnings.size() > WARNINGS_MAX) {
      line("warnings", warnings.size() - WARNINGS_MAX + " more, see " + log, out);
    }
  }

  /** Prints one fact. */
  static void line(String name, Object value, PrintWriter out) {
    out.printf("  %-14s %s%n", name, value);
  }
}
