package dev.cairn.mapreduce;

import java.util.Arrays;
import java.util.Optional;

/** The programs of {@code hbase-mapreduce} that have a name, as they are in HBase's own lists. */
enum BundledJob {
  ROW_COUNTER("rowcounter", "mapreduce.RowCounter", "Counts the rows of a table."),
  CELL_COUNTER("cellcounter", "mapreduce.CellCounter", "Counts the cells of a table by column."),
  IMPORT_TSV("importtsv", "mapreduce.ImportTsv", "Loads lines of fields into a table, or files."),
  COMPLETE_BULK_LOAD(
      "completebulkload", "tool.BulkLoadHFilesTool", "Moves finished files into a table."),
  EXPORT("export", "mapreduce.Export", "Writes a table to sequence files."),
  IMPORT("import", "mapreduce.Import", "Loads files that export wrote."),
  COPY_TABLE("copytable", "mapreduce.CopyTable", "Copies a table, also to another cluster."),
  HASH_TABLE("hashtable", "mapreduce.HashTable", "Writes checksums of a table's ranges."),
  SYNC_TABLE("synctable", "mapreduce.SyncTable", "Makes a table equal to one of such checksums."),
  VERIFY_REPLICATION(
      "verifyrep",
      "mapreduce.replication.VerifyReplication",
      "Compares a table with that of another cluster."),
  WAL_PLAYER("walplayer", "mapreduce.WALPlayer", "Applies the entries of logs to tables."),
  EXPORT_SNAPSHOT(
      "exportsnapshot", "snapshot.ExportSnapshot", "Copies a snapshot to another file system."),
  SNAPSHOT_INFO(
      "snapshotinfo", "snapshot.SnapshotInfo", "Lists snapshots, and the files and sizes of one."),
  CREATE_SNAPSHOT("createsnapshot", "snapshot.CreateSnapshot", "Takes a snapshot of a table."),
  CLASS_PATH(
      "mapredcp", ClassPathJob.class, "Prints the jars that a Hadoop installation needs for jobs.");

  private static final String PACKAGE = "org.apache.hadoop.hbase.";

  private final String id;
  private final String program;
  private final String sentence;

  BundledJob(String id, String program, String sentence) {
    this.id = id;
    this.program = PACKAGE + program;
    this.sentence = sentence;
  }

  BundledJob(String id, Class<?> program, String sentence) {
    this.id = id;
    this.program = program.getName();
    this.sentence = sentence;
  }

  /** Returns the job of a name, in any case, or of the full name of its class. */
  static Optional<BundledJob> find(String text) {
    return Arrays.stream(values())
        .filter(job -> job.id.equalsIgnoreCase(text) || job.program.equals(text))
        .findFirst();
  }

  /** Returns the name for the command line. */
  String id() {
    return id;
  }

  /** Returns the name of the class whose {@code main} method runs the job. */
  String program() {
    return program;
  }

  /** Returns what the job does. */
  String sentence() {
    return sentence;
  }

  /** Tells whether the job uses servers; otherwise it uses files only. */
  boolean asksServers() {
    return this != EXPORT_SNAPSHOT && this != SNAPSHOT_INFO && this != CLASS_PATH;
  }
}
