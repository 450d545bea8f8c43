package dev.cairn.launcher;

import java.io.PrintWriter;

/** Prints what is known of a server, one fact per line, aligned. */
final class Descriptions {
  private Descriptions() {}

  /** Prints where a server can be reached. */
  static void print(Endpoints endpoints, PrintWriter out) {
    line("ZooKeeper", endpoints.zooKeeper(), out);
    line("master", endpoints.master(), out);
    line("region server", endpoints.regionServer(), out);
    line("web", endpoints.web(), out);
  }

  /** Prints one fact. */
  static void line(String name, Object value, PrintWriter out) {
    out.printf("  %-14s %s%n", name, value);
  }
}
