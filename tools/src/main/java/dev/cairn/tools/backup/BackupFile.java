package dev.cairn.tools.backup;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.store.RegionDirectory;

/**
 * A file of a backup.
 *
 * @param path within the backup
 * @param length in bytes
 * @param sha256 the checksum, hexadecimal
 */
public record BackupFile(String path, long length, String sha256) {
  static final String ROOT = "root/";
  static final String BEFORE = "before/";
  static final String AFTER = "after/";
  static final String LOADS = "loads/";

  /** Tells whether it has changes since the previous backup. */
  boolean isBefore() {
    return path.startsWith(BEFORE);
  }

  /** Tells whether it has changes since the snapshots of its backup were begun. */
  boolean isAfter() {
    return path.startsWith(AFTER);
  }

  /** Tells whether it contains changes. */
  boolean isChanges() {
    return isBefore() || isAfter();
  }

  /** Tells whether it was loaded in bulk. */
  boolean isLoaded() {
    return path.startsWith(LOADS);
  }

  /** Tells whether it was loaded in bulk into a table. */
  boolean isLoadedInto(TableName table) {
    return path.startsWith(LOADS + RegionDirectory.ofTable("data", table) + "/");
  }

  /** Returns its path under a root directory; empty text if it is no file of a snapshot. */
  String pathInRoot() {
    return path.startsWith(ROOT) ? path.substring(ROOT.length()) : "";
  }
}
