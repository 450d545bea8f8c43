package dev.cairn.server.exchange;

import dev.cairn.engine.schema.TableName;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;

/**
 * The contents of a data folder, and the changes that this server makes when it opens it.
 * Immutable.
 *
 * @param layoutVersion the contents of {@code hbase.version}; empty if there is no such file
 * @param clusterId the contents of {@code hbase.id}; empty if there is no such file
 * @param namespaces namespaces with a directory or a row, ordered
 * @param tables tables with a directory or a row in {@code hbase:meta}, ordered by name
 * @param logs logs whose entries are not known to be in store files; archived ones are not listed
 * @param snapshots complete snapshots, ordered by name
 * @param procedures unfinished procedures of the master's store, by id
 * @param findings problems to know before the folder is opened, the gravest first
 */
public record ImportReport(
    Optional<String> layoutVersion,
    Optional<String> clusterId,
    List<String> namespaces,
    List<Table> tables,
    List<Log> logs,
    List<Snapshot> snapshots,
    List<UnfinishedProcedure> procedures,
    List<Finding> findings) {
  /** Takes copies. */
  public ImportReport {
    namespaces = List.copyOf(namespaces);
    tables = List.copyOf(tables);
    logs = List.copyOf(logs);
    snapshots = List.copyOf(snapshots);
    procedures = List.copyOf(procedures);
    findings = List.copyOf(findings);
  }

  /** Tells whether everything is carried over. */
  public boolean carriesEverything() {
    return findings.stream().noneMatch(finding -> finding.severity().isRefusal());
  }

  /** Tells whether the server would start on the folder. */
  public boolean opens() {
    return findings.stream().noneMatch(finding -> finding.severity() == Severity.FOLDER_REFUSED);
  }

  /**
   * One table.
   *
   * @param state its state in {@code hbase:meta}; empty if it is not there
   * @param regions how many serve, or would if the table were enabled
   * @param splitParents regions that were split and are still there because their daughters refer
   *     to their files
   * @param storeFiles how many, references and links included
   * @param storeFileBytes their size, without what references and links point to
   * @param references store files that are a half of another region's file
   * @param links store files that are links to another table's file
   * @param recoveredEdits files of log entries that a region applies when it opens
   * @param fileVersions versions of the HFile format ({@code major.minor}), with the number of
   *     files of each
   * @param compressions the codecs found in files
   * @param encodings the data block encodings found in files
   */
  public record Table(
      TableName name,
      Optional<TableState.State> state,
      int regions,
      int splitParents,
      int storeFiles,
      long storeFileBytes,
      int references,
      int links,
      int recoveredEdits,
      SortedMap<String, Integer> fileVersions,
      SortedSet<String> compressions,
      SortedSet<String> encodings) {}

  /** The owner of a log. */
  public enum LogKind {
    /** Of a region server. */
    REGION_SERVER,
    /** Of {@code hbase:meta}. */
    META,
    /** Of the master's own region. */
    MASTER
  }

  /**
   * One log file.
   *
   * @param path relative to the folder
   * @param bytes its length
   * @param compressed it has compressed entries
   * @param encrypted it has encrypted entries
   */
  public record Log(String path, LogKind kind, long bytes, boolean compressed, boolean encrypted) {}

  /**
   * One snapshot.
   *
   * @param table the table it is of; empty if its description cannot be read
   */
  public record Snapshot(String name, Optional<TableName> table) {}

  /**
   * One procedure that HBase's master did not finish.
   *
   * @param id its number
   * @param kind its class name without the package
   * @param state HBase's word for how far it is
   */
  public record UnfinishedProcedure(long id, String kind, String state) {}

  /** The severity of a finding; the gravest first. */
  public enum Severity {
    /** The server does not start on the folder. */
    FOLDER_REFUSED,
    /** A table stays as it is on disk and answers every request with an error; others work. */
    TABLE_REFUSED,
    /** It works, and something behaves otherwise than with HBase. */
    DIFFERENT,
    /** It works, and takes some time or is worth knowing. */
    NOTE;

    /** Tells whether something is not carried over. */
    public boolean isRefusal() {
      return this == FOLDER_REFUSED || this == TABLE_REFUSED;
    }
  }

  /**
   * Something to know.
   *
   * @param severity how grave it is
   * @param where a table, a procedure, or a path relative to the folder
   * @param what the finding
   * @param consequence the consequence and a possible remedy
   */
  public record Finding(Severity severity, String where, String what, String consequence) {}
}
