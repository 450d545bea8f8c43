package dev.cairn.server.master.healing;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.CatalogContents;
import dev.cairn.server.catalog.CatalogContents.IncompleteRow;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.ddl.RegionIds;
import dev.cairn.server.master.healing.Finding.Kind;
import dev.cairn.server.master.remote.RegionServerCalls;
import dev.cairn.server.master.table.TableResource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;

/**
 * Restores the rows that {@code hbase:meta} has lost, before a master takes it over: rows and
 * columns of regions, states of tables, everything. Tables with unfinished procedures are left to
 * these.
 *
 * <p>A region whose row or location is lost may be open, by an order of an earlier master. So this
 * asks all region servers first, and waits for each until it answers or its session ends. The
 * region may also have edits in the log of a dead server. So the logs of all dead servers must be
 * recovered before. Waits for files and the network.
 */
public final class CatalogRecovery {
  private final TableFiles files;
  private final Catalog catalog;
  private final Coordination coordination;
  private final RegionServerCalls calls;
  private final RegionIds regionIds;

  /** Creates it. */
  public CatalogRecovery(
      TableFiles files,
      Catalog catalog,
      Coordination coordination,
      RegionServerCalls calls,
      RegionIds regionIds) {
    this.files = files;
    this.catalog = catalog;
    this.coordination = coordination;
    this.calls = calls;
    this.regionIds = regionIds;
  }

  /**
   * The catalog after the recovery.
   *
   * @param findings the problems; empty if there were none
   */
  public record Recovered(CatalogContents contents, List<Finding> findings) {}

  /** The rows and directories found of one table. */
  private static final class Rows {
    final List<RegionInfo> serving = new ArrayList<>();
    final List<RegionInfo> replaced = new ArrayList<>();
    final List<IncompleteRow> incomplete = new ArrayList<>();
  }

  /** The changes so far. */
  private static final class Work {
    final List<TableRepair> repairs = new ArrayList<>();
    final List<IncompleteRow> incomplete = new ArrayList<>();
    final List<CatalogChange> changes = new ArrayList<>();
    final List<Finding> findings = new ArrayList<>();
  }

  /**
   * Restores lost rows, and returns the catalog after that.
   *
   * @param contents the present contents
   * @param busy the resources of unfinished procedures
   * @param isRecovered whether the logs of all dead servers are recovered
   * @throws IOException also if a region server does not say which regions it has, or if the logs
   *     of dead servers may have edits of regions whose rows are lost. The caller tries again
   */
  public Recovered recover(CatalogContents contents, Set<String> busy, boolean isRecovered)
      throws IOException {
    Predicate<TableName> isFree = table -> !busy.contains(TableResource.of(table));
    Map<TableName, Rows> rows = rows(contents);
    Set<TableName> withDirectory = new HashSet<>(files.tables());
    Set<TableName> tables = new TreeSet<>(withDirectory);
    tables.addAll(rows.keySet());
    tables.remove(TableName.META);
    Work work = new Work();
    for (TableName table : tables) {
      if (isFree.test(table) && withDirectory.contains(table)) {
        check(
            table,
            rows.getOrDefault(table, new Rows()),
            Optional.ofNullable(contents.tables().get(table)),
            work);
      }
    }
    if (work.repairs.isEmpty() && work.incomplete.isEmpty() && work.changes.isEmpty()) {
      return new Recovered(contents, work.findings);
    }
    if (!isRecovered && !(work.repairs.isEmpty() && work.incomplete.isEmpty())) {
      throw new IOException(
          "hbase:meta has lost rows or columns of regions, which may have edits in the logs of dead"
              + " servers, and these logs are not recovered yet");
    }
    boolean isEmpty = contents.regions().isEmpty() && contents.tables().isEmpty();
    if (isEmpty && !work.repairs.isEmpty()) {
      work.findings.add(
          0,
          new Finding(
              Kind.EMPTY_CATALOG,
              "hbase:meta",
              "hbase:meta had no rows, but tables have directories",
              "Restored the rows from the directories"));
    }
    write(work);
    return new Recovered(catalog.read(), work.findings);
  }

  private static Map<TableName, Rows> rows(CatalogContents contents) {
    Map<TableName, Rows> tables = new TreeMap<>();
    for (RegionRow row : contents.regions()) {
      Rows rows = tables.computeIfAbsent(row.region().table(), table -> new Rows());
      (row.region().split() ? rows.replaced : rows.serving).add(row.region());
      rows.replaced.addAll(row.mergeParents());
    }
    for (IncompleteRow row : contents.incomplete()) {
      table(row)
          .ifPresent(table -> tables.computeIfAbsent(table, key -> new Rows()).incomplete.add(row));
    }
    return tables;
  }

  /** Returns the table of a row of the catalog; empty if the row names none. */
  private static Optional<TableName> table(IncompleteRow row) {
    String name = Bytes.toStringBinary(row.row());
    int comma = name.indexOf(',');
    try {
      return comma < 0 ? Optional.empty() : Optional.of(TableName.parse(name.substring(0, comma)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private void check(TableName table, Rows rows, Optional<TableState.State> state, Work work)
      throws IOException {
    Set<String> directories = files.regionDirectories(table);
    boolean isKnown = state.isPresent() || !rows.serving.isEmpty();
    if (!isKnown && directories.isEmpty()) {
      return; // Nothing of a table but perhaps its descriptor: it was being created or removed.
    }
    boolean hasAllRegions = !RegionCensus.isNeeded(rows.serving, rows.replaced, directories);
    if (hasAllRegions && isKnown && state.isPresent() && rows.incomplete.isEmpty()) {
      return; // The usual case, so this check costs a start no more than a listing.
    }
    Optional<TableSchema> schema;
    try {
      schema = files.descriptors().read(table);
    } catch (IOException e) {
      schema = Optional.empty();
    }
    if (schema.isEmpty()) {
      if (!isKnown) {
        work.findings.add(
            new Finding(
                Kind.UNSERVED_TABLE,
                table.toString(),
                "The directory "
                    + TableFiles.directory(table)
                    + " has regions, but no descriptor that can be read, and hbase:meta does not"
                    + " list the table",
                Finding.NOTHING + "Restore .tabledesc, or move the directory away"));
      }
      return;
    }
    if (state.isEmpty()) {
      restoreState(table, work);
    }
    work.incomplete.addAll(
        rows.incomplete.stream().filter(row -> isLeft(row, directories)).toList());
    if (!hasAllRegions) {
      TableRepair repair =
          TableRepair.plan(files, schema.get(), rows.serving, rows.replaced, regionIds::next);
      work.findings.addAll(repair.findings());
      if (!repair.plan().isEmpty()) {
        work.repairs.add(repair);
      }
    }
  }

  /** Tells whether the row describes a region, or no directory can describe it. */
  private static boolean isLeft(IncompleteRow row, Set<String> directories) {
    return row.region().isPresent() || encodedName(row).filter(directories::contains).isEmpty();
  }

  /** Returns the encoded name at the end of a region's name. */
  private static Optional<String> encodedName(IncompleteRow row) {
    String name = Bytes.toStringBinary(row.row());
    int dot = name.lastIndexOf('.', name.length() - 2);
    return name.endsWith(".") && dot > 0
        ? Optional.of(name.substring(dot + 1, name.length() - 1))
        : Optional.empty();
  }

  private void restoreState(TableName table, Work work) throws IOException {
    Optional<TableState.State> published = coordination.readTableState(table);
    TableState.State state = published.orElse(TableState.State.ENABLED);
    work.changes.add(new CatalogChange.SetTableState(table, state));
    work.findings.add(
        new Finding(
            Kind.LOST_TABLE_STATE,
            table.toString(),
            "hbase:meta had no state of the table",
            published.isPresent()
                ? "Set the state to " + state + ", as the table's znode says"
                : "Set the state to " + state + ", since nothing says otherwise"));
  }

  private void write(Work work) throws IOException {
    Map<String, ServerName> hosts = hosts(work);
    for (IncompleteRow row : work.incomplete) {
      complete(row, hosts, work);
    }
    for (TableRepair repair : work.repairs) {
      repair.createDirectories();
      work.changes.addAll(repair.changes(hosts));
    }
    catalog.apply(work.changes);
    for (TableRepair repair : work.repairs) {
      repair.discardDirectories();
    }
  }

  /** Asks all region servers which regions they have, if that matters. */
  private Map<String, ServerName> hosts(Work work) throws IOException {
    Map<String, ServerName> hosts = new HashMap<>();
    if (!work.incomplete.isEmpty() || !work.repairs.isEmpty()) {
      for (ServerName server : coordination.readRegionServers()) {
        for (RegionInfo region : calls.online(server)) {
          hosts.put(region.encodedName(), server);
        }
      }
    }
    return hosts;
  }

  private void complete(IncompleteRow row, Map<String, ServerName> hosts, Work work) {
    String name = Bytes.toStringBinary(row.row());
    String columns = String.join(", ", row.columns());
    if (row.region().isEmpty()) {
      work.changes.add(new CatalogChange.RemoveRow(row.row()));
      work.findings.add(
          new Finding(
              Kind.EMPTY_ROW,
              name,
              "The row lacked " + columns + ", and the region has no directory",
              "Removed the row"));
      return;
    }
    RegionRow known = row.region().get();
    Optional<ServerName> host = Optional.ofNullable(hosts.get(known.region().encodedName()));
    CatalogChange change;
    String done;
    if (host.isPresent()) {
      long sequence = Math.max(1, known.openSequence());
      change = new CatalogChange.RegionOpened(known.region(), host.get(), sequence);
      done = "Restored the columns: the region is open at " + host.get();
    } else if (known.server().isPresent()) {
      change = new CatalogChange.SetRegionState(known.region(), State.CLOSED, known.server().get());
      done = "Set the state to CLOSED: no server has the region open";
    } else {
      change = new CatalogChange.AddRegion(known.region());
      done = "Set the state to CLOSED: no server has the region open";
    }
    work.changes.add(change);
    work.findings.add(new Finding(Kind.LOST_COLUMNS, name, "The row lacked " + columns, done));
  }
}
