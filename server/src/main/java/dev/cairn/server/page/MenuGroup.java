package dev.cairn.server.page;

/** The parts of the menu, in their order. */
public enum MenuGroup {
  /** The master's view of all servers. */
  CLUSTER("Cluster"),
  /** A region server's view of itself. */
  SERVER("Region server"),
  /** The process: settings, log, threads. */
  PROCESS("Process");

  private final String title;

  MenuGroup(String title) {
    this.title = title;
  }

  /** Returns the heading. */
  public String title() {
    return title;
  }
}
