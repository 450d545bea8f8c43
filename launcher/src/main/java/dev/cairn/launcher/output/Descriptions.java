package dev.cairn.launcher.output;

import dev.cairn.launcher.process.Addresses;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints the facts about a server, one per line, aligned. */
public final class Descriptions {
  private static final int LINES_MAX = 3;

  private Descriptions() {}

  /** Prints where a server can be reached. */
  public static void print(Addresses addresses, PrintWriter out) {
    line("ZooKeeper", addresses.zooKeeper(), out);
    line("master", addresses.master(), out);
    line("region server", addresses.regionServer(), out);
    addresses.web().ifPresent(url -> line("web", url, out));
  }

  /**
   * Prints the first lines of several about one thing, and the number of the others.
   *
   * @param name the name of each
   * @param rest where all of them are: a file or a command
   */
  public static void printFirst(String name, List<String> lines, String rest, PrintWriter out) {
    lines.stream().limit(LINES_MAX).forEach(text -> line(name, text, out));
    if (lines.size() > LINES_MAX) {
      line(name, lines.size() - LINES_MAX + " more, see " + rest, out);
    }
  }

  /** Returns a number with a noun that takes an s in the plural. */
  public static String count(long number, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
  }

  /** Prints one fact. */
  public static void line(String name, Object value, PrintWriter out) {
    out.printf("  %-14s %s%n", name, value);
  }
}
