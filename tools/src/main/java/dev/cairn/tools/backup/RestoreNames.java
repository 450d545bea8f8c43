package dev.cairn.tools.backup;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.Admin;

/**
 * The names of the temporary table and snapshots of a restore. Each contains a random number, so no
 * other restore uses it. A record in the root directory keeps the number until the restore has
 * ended. With it, the next restore of the same name removes the remains of a killed one:
 *
 * <pre>
 *   cairn.restores/namespace.name.restore     the number
 *   cairn.restores/namespace.name.lease-N     the lease of the process that restores the table
 * </pre>
 */
final class RestoreNames {
  private static final String DIRECTORY = "cairn.restores";
  private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{8}");

  private final TableName name;
  private final String number;

  private RestoreNames(TableName name, String number) {
    this.name = name;
    this.number = number;
  }

  /** Returns the path of the files for restores of a name, without the extension. */
  static String path(TableName name) {
    return DIRECTORY + "/" + name.namespace() + "." + name.qualifier();
  }

  private static String record(TableName name) {
    return path(name) + ".restore";
  }

  /** Chooses names and records them. */
  static RestoreNames choose(Storage root, Admin admin, TableName name) throws IOException {
    while (true) {
      RestoreNames chosen =
          new RestoreNames(name, HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()));
      if (!admin.tableExists(chosen.working())) {
        root.writeAll(record(name), chosen.number.getBytes(StandardCharsets.US_ASCII));
        return chosen;
      }
    }
  }

  /** Removes the remains of a killed restore of the same name. */
  static void sweep(Storage root, Admin admin, TableName name) throws IOException {
    String number;
    try {
      number = new String(root.readAll(record(name)), StandardCharsets.US_ASCII).strip();
    } catch (NoSuchFileException e) {
      return;
    }
    if (!NUMBER.matcher(number).matches()) {
      throw new BackupException(
          record(name)
              + " is damaged. Drop the tables that begin with "
              + name
              + "-restoring- and the snapshots that begin with cairn-restore-, if a"
              + " killed restore has left them, and delete the file");
    }
    new RestoreNames(name, number).remove(root, admin);
  }

  /** Removes the table, the snapshots and the record. */
  void remove(Storage root, Admin admin) throws IOException {
    RestoreJob.drop(admin, working());
    SnapshotImport.sweep(root, imported());
    LastingSnapshot.delete(admin, imported());
    LastingSnapshot.delete(admin, ready());
    root.delete(record(name));
  }

  /** Returns the table that is being restored. */
  org.apache.hadoop.hbase.TableName working() {
    return CreateJob.hbase(
        new TableName(name.namespace(), name.qualifier() + "-restoring-" + number));
  }

  /** Returns the snapshot of the full backup, in the root directory. */
  String imported() {
    return "cairn-restore-" + number + "-imported";
  }

  /** Returns the snapshot of the restored table. */
  String ready() {
    return "cairn-restore-" + number + "-ready";
  }
}
