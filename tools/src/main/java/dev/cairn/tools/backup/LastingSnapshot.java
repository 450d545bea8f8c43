package dev.cairn.tools.backup;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;

/**
 * Takes and deletes the snapshots of backups and restores. They have a time to live of their own,
 * which no backup outlives; otherwise they would get that of {@code hbase.master.snapshot.ttl}.
 */
final class LastingSnapshot {
  private static final long TTL_SECONDS = Duration.ofDays(100 * 365).toSeconds();

  private LastingSnapshot() {}

  /** Takes a snapshot. */
  static void take(Admin admin, String name, TableName table) throws IOException {
    admin.snapshot(
        new SnapshotDescription(
            name, table, SnapshotType.FLUSH, null, -1, -1, Map.of("TTL", TTL_SECONDS)));
  }

  /** Deletes a snapshot, if there is one of that name. */
  static void delete(Admin admin, String name) throws IOException {
    for (SnapshotDescription snapshot : admin.listSnapshots()) {
      if (snapshot.getName().equals(name)) {
        admin.deleteSnapshot(name);
      }
    }
  }
}
