package dev.cairn.launcher;

import java.io.PrintWriter;

/** Prints what is known of a server, one fact per line, aligned. */
final class Descriptions {
  private Descriptions() {}

  /** Prints where a server can be reached. */
  static void print(Addresses addresses, PrintWriter out) {
    line("ZooKeeper", addresses.zooKeeper(), out);
    line("master", addresses.master(), out);
    line("region server", addresses.regionServer(), out);
    addresses.web().ifPresent(url -> line("web", url, out));
  }

  /** Prints one fact. */
  static void line(String name, Object value, PrintWriter out) {
    out.printf("  %-14s %s%n", name, value);
  }
}
