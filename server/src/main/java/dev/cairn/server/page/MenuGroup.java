package dev.cairn.server.page;

/** The parts of the menu, in their order. */
public enum MenuGroup {
  /** What the master knows of all servers. */
  CLUSTER("Cluster"),
  /** What a region server knows of itself. */
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
