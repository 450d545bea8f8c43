package dev.cairn.bench.failover;

/** A fault of one process of the cluster. */
enum Fault {
  /** A region server is killed that does not serve {@code hbase:meta}. */
  SERVER("region server killed", false),
  /** The region server of {@code hbase:meta} is killed. */
  META("the server of hbase:meta killed", false),
  /** A region server is frozen, and resumed later. */
  FROZEN("region server frozen", true),
  /** The active master is killed. */
  MASTER("active master killed", false);

  private final String text;
  private final boolean freezes;

  Fault(String text, boolean freezes) {
    this.text = text;
    this.freezes = freezes;
  }

  /** Returns the name of the fault in the report. */
  String text() {
    return text;
  }

  /** Tells whether the process continues later. */
  boolean freezes() {
    return freezes;
  }
}
