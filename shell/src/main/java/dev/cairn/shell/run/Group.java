package dev.cairn.shell.run;

/** The groups in which HBase's shell shows its commands, in its order. */
public enum Group {
  GENERAL("general"),
  DDL("ddl"),
  NAMESPACE("namespace"),
  DML("dml"),
  TOOLS("tools"),
  REPLICATION("replication"),
  SNAPSHOTS("snapshots"),
  CONFIGURATION("configuration"),
  QUOTAS("quotas"),
  SECURITY("security"),
  PROCEDURES("procedures"),
  VISIBILITY_LABELS("visibility labels"),
  RSGROUP("rsgroup"),
  STORE_FILE_TRACKER("storefiletracker");

  private final String title;

  Group(String title) {
    this.title = title;
  }

  /** Returns the name that {@code help} takes. */
  public String title() {
    return title;
  }
}
