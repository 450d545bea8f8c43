package dev.cairn.server.snapshot;

import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;

/** Checks and completes the snapshot descriptions of clients' requests. */
public final class SnapshotDescriptions {
  /** The version of the layout with manifests; HBase has had no later one. */
  public static final int VERSION = 2;

  private SnapshotDescriptions() {}

  /**
   * Checks a snapshot's name, which follows the rules for names of tables without a namespace.
   *
   * @throws DoNotRetryIOException if it is none
   */
  public static String name(SnapshotDescription snapshot) throws DoNotRetryIOException {
    String name = snapshot.getName();
    if (!isName(name)) {
      throw new DoNotRetryIOException(
          "Illegal snapshot name <"
              + name
              + ">: a name has letters, digits, '_', '-' and '.', and does not begin with '-' or"
              + " '.'");
    }
    return name;
  }

  /** Tells whether a snapshot can have this name. */
  static boolean isName(String name) {
    try {
      return !name.contains(":") && TableName.parse(name).toString().equals(name);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Returns the table that a request names.
   *
   * @throws DoNotRetryIOException if there is none, or its name is illegal
   */
  public static TableName table(SnapshotDescription snapshot) throws DoNotRetryIOException {
    if (!snapshot.hasTable() || snapshot.getTable().isEmpty()) {
      throw new DoNotRetryIOException(
          "The request about the snapshot " + snapshot.getName() + " names no table");
    }
    try {
      return TableName.parse(snapshot.getTable());
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  /**
   * Returns the description as it is stored.
   *
   * @param type how the snapshot treats cells in memory
   */
  public static SnapshotDescription complete(
      SnapshotDescription wanted,
      SnapshotDescription.Type type,
      String owner,
      long nowMillis,
      long defaultTtlSeconds) {
    SnapshotDescription.Builder snapshot =
        wanted.toBuilder().setType(type).setVersion(VERSION).setOwner(owner);
    if (wanted.getCreationTime() <= 0) {
      snapshot.setCreationTime(nowMillis);
    }
    boolean named = wanted.getTtl() > 0 && wanted.getTtl() <= Long.MAX_VALUE / 1000;
    return snapshot.setTtl(named ? wanted.getTtl() : defaultTtlSeconds).build();
  }

  /** Tells whether a snapshot's time to live is over. */
  public static boolean isExpired(SnapshotDescription snapshot, long nowMillis) {
    return snapshot.getTtl() > 0
        && snapshot.getCreationTime() > 0
        && nowMillis - snapshot.getCreationTime() > snapshot.getTtl() * 1000;
  }

  /** Reads the name of the snapshot's table, which its stored description must have. */
  static TableName storedTable(SnapshotDescription snapshot, String path) throws IOException {
    try {
      return TableName.parse(snapshot.getTable());
    } catch (IllegalArgumentException e) {
      throw new IOException(path + " names no table: " + e.getMessage(), e);
    }
  }
}
