package dev.cairn.server.exchange;

import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.server.catalog.CatalogContents;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.catalog.TableSupport;
import dev.cairn.server.exchange.ImportReport.Finding;
import dev.cairn.server.exchange.ImportReport.Severity;
import dev.cairn.server.exchange.ImportReport.Snapshot;
import dev.cairn.server.exchange.ImportReport.UnfinishedProcedure;
import dev.cairn.server.master.procedure.HBaseProcedure;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.store.RootDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterIdProtos.ClusterId;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FSProtos.HBaseVersionFileContent;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;

/**
 * Inspects a data folder and reports the contents that this server would find. Writes nothing and
 * takes no lock, so that it may run while a server serves the folder; then it may miss files that
 * are being written. One thread.
 */
public final class FolderInspection {
  private static final String VERSION_FILE = "hbase.version";
  private static final String ID_FILE = "hbase.id";
  private static final String SNAPSHOTS = ".hbase-snapshot";
  private static final String SNAPSHOT_INFO = ".snapshotinfo";

  private final Storage folder;
  private final SystemRegions system;
  private final TableSupport support;
  private final StoreFileTracking.Kind tracker;
  private final TableFiles files;
  private final List<Finding> findings = new ArrayList<>();

  /** Opens copies of regions. */
  public interface Opener {
    /**
     * Returns the context of regions below {@code dataDirectory}.
     *
     * @param log their log, which takes nothing
     */
    RegionContext context(Storage storage, String dataDirectory, Wal log);

    /** Returns the splitter of the logs below {@code root}. */
    LogSplitter splitter(Storage storage, String root);
  }

  private FolderInspection(
      Storage folder, SystemRegions system, TableSupport support, StoreFileTracking.Kind tracker) {
    this.folder = folder;
    this.system = system;
    this.support = support;
    this.tracker = tracker;
    this.files = new TableFiles(folder);
  }

  /**
   * Looks through {@code folder}.
   *
   * @param support which tables can be served
   * @param tracker the store file tracker of families whose descriptors name none
   * @param opener opens copies in memory of the regions that say what else there is
   * @throws IOException if the folder cannot be read; damage in it is a finding
   */
  public static ImportReport inspect(
      Storage folder,
      TableSupport support,
      StoreFileTracking.Kind tracker,
      Opener opener,
      Clock clock)
      throws IOException {
    SystemRegions system = new SystemRegions(folder, new MemoryStorage(clock), opener);
    return new FolderInspection(folder, system, support, tracker).inspect();
  }

  private ImportReport inspect() throws IOException {
    try {
      RootDirectory.check(folder);
    } catch (IOException e) {
      find(Severity.FOLDER_REFUSED, "", e.getMessage(), "the server does not start on it");
    }
    Optional<CatalogContents> catalog = catalog();
    List<UnfinishedProcedure> procedures = procedures();
    List<ImportReport.Table> tables =
        tables(catalog.orElseGet(() -> new CatalogContents(List.of(), Map.of(), List.of())));
    if (catalog.isPresent()) {
      tables.forEach(this::checkKnown);
    }
    List<ImportReport.Log> logs = new LogInspection(folder, this::find).inspect();
    List<Snapshot> snapshots = snapshots();
    Optional<String> id = clusterId();
    findings.sort(Comparator.comparing(Finding::severity));
    return new ImportReport(
        version(), id, namespaces(), tables, logs, snapshots, procedures, findings);
  }

  private void find(Severity severity, String where, String what, String consequence) {
    findings.add(new Finding(severity, where, what, consequence));
  }

  /** Receives the findings. */
  @FunctionalInterface
  interface Findings {
    void add(Severity severity, String where, String what, String consequence);
  }

  private Optional<String> version() throws IOException {
    if (!folder.exists(VERSION_FILE)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          HBaseVersionFileContent.parseFrom(
                  Messages.fromFile(folder.readAll(VERSION_FILE), VERSION_FILE))
              .getVersion());
    } catch (IOException e) {
      return Optional.empty(); // The check of the folder has said so.
    }
  }

  private Optional<String> clusterId() throws IOException {
    if (!folder.exists(ID_FILE)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ClusterId.parseFrom(Messages.fromFile(folder.readAll(ID_FILE), ID_FILE)).getClusterId());
    } catch (IOException e) {
      find(
          Severity.FOLDER_REFUSED,
          ID_FILE,
          "it cannot be read: " + e.getMessage(),
          "the server does not start; restore the file from a backup");
      return Optional.empty();
    }
  }

  /** Returns the contents of {@code hbase:meta}; empty if they cannot be read. */
  private Optional<CatalogContents> catalog() {
    try {
      return Optional.of(system.catalog());
    } catch (IOException e) {
      find(
          Severity.FOLDER_REFUSED,
          TableName.META.toString(),
          "it cannot be read: " + e.getMessage(),
          "no table can be served, and it is not known which tables there are; repair it with"
              + " Apache HBase");
      return Optional.empty();
    }
  }

  private List<UnfinishedProcedure> procedures() {
    List<UnfinishedProcedure> unfinished = new ArrayList<>();
    try {
      for (MasterStore.Entry entry : system.procedures()) {
        Optional<HBaseProcedure> procedure = HBaseProcedure.read(entry);
        if (procedure.isPresent()) {
          HBaseProcedure one = procedure.get();
          unfinished.add(new UnfinishedProcedure(one.id(), one.name(), one.state().name()));
          find(
              one.isRefused() ? Severity.FOLDER_REFUSED : Severity.NOTE,
              "procedure " + one.id(),
              one.name() + " is not finished (" + one.state() + ")",
              one.consequence());
        }
      }
    } catch (IOException e) {
      find(
          Severity.FOLDER_REFUSED,
          "MasterData",
          "the master's store cannot be read: " + e.getMessage(),
          "the server does not start");
    }
    return unfinished;
  }

  private List<ImportReport.Table> tables(CatalogContents catalog) throws IOException {
    Map<TableName, List<RegionRow>> rows = new TreeMap<>();
    for (RegionRow row : catalog.regions()) {
      rows.computeIfAbsent(row.region().table(), table -> new ArrayList<>()).add(row);
    }
    TreeSet<TableName> names = new TreeSet<>(files.tables());
    names.addAll(catalog.tables().keySet());
    names.addAll(rows.keySet());
    names.remove(TableName.META);
    List<ImportReport.Table> tables = new ArrayList<>();
    for (TableName name : names) {
      tables.add(
          table(
              name,
              Optional.ofNullable(catalog.tables().get(name)),
              rows.getOrDefault(name, List.of())));
    }
    return tables;
  }

  private ImportReport.Table table(
      TableName name, Optional<TableState.State> state, List<RegionRow> rows) throws IOException {
    if (state.isPresent()) {
      checkDescriptor(name);
    }
    StoreInspection stores = new StoreInspection(folder, tracker, this::find);
    int parents = 0;
    int regions = 0;
    for (RegionRow row : rows) {
      RegionInfo region = row.region();
      if (region.split()) {
        parents++;
      } else {
        regions++;
      }
      stores.addRegion(region);
    }
    return stores.table(name, state, regions, parents);
  }

  private void checkKnown(ImportReport.Table table) {
    if (table.state().isEmpty()) {
      find(
          Severity.NOTE,
          table.name().toString(),
          "it has a directory, and hbase:meta does not know it",
          "the directory stays as it is, and the table cannot be seen; that is so with Apache HBase"
              + " too");
    }
  }

  private void checkDescriptor(TableName name) {
    String where = name.toString();
    Optional<TableSchema> schema;
    try {
      schema = files.descriptors().read(name);
    } catch (IOException e) {
      find(
          Severity.TABLE_REFUSED,
          where,
          "its descriptor cannot be read: " + e.getMessage(),
          "every request gets an error until the file is restored from a backup");
      return;
    }
    if (schema.isEmpty()) {
      find(
          Severity.TABLE_REFUSED,
          where,
          "it has no descriptor",
          "the table is left out; its files stay");
      return;
    }
    support
        .refusal(schema.get())
        .ifPresent(
            reason ->
                find(
                    Severity.TABLE_REFUSED,
                    where,
                    reason,
                    "its files stay as they are, and every request gets an error"));
    long replicas = schema.get().attribute("REGION_REPLICATION").map(Long::parseLong).orElse(1L);
    if (replicas > 1) {
      find(
          Severity.DIFFERENT,
          where,
          "its regions have " + replicas + " replicas",
          "a region's replicas are served by the server that has the region itself");
    }
    boolean replicated =
        schema.get().families().stream()
            .anyMatch(
                family -> !family.attribute("REPLICATION_SCOPE").orElse("0").trim().equals("0"));
    if (replicated) {
      find(
          Severity.DIFFERENT,
          where,
          "a column family is replicated to other clusters (REPLICATION_SCOPE)",
          "Cairn replicates nothing, and deletes archived logs after their time: let HBase"
              + " finish its replication first; the attribute is kept");
    }
  }

  private List<String> namespaces() throws IOException {
    TreeSet<String> names = new TreeSet<>();
    for (Storage.FileInfo entry : folder.list("data")) {
      if (entry.directory() && !entry.name().startsWith(".")) {
        names.add(entry.name());
      }
    }
    return List.copyOf(names);
  }

  private List<Snapshot> snapshots() throws IOException {
    List<Snapshot> snapshots = new ArrayList<>();
    for (Storage.FileInfo entry : folder.list(SNAPSHOTS)) {
      if (!entry.directory() || entry.name().startsWith(".")) {
        continue;
      }
      String path = Storage.join(entry.path(), SNAPSHOT_INFO);
      Optional<TableName> table = Optional.empty();
      try {
        table =
            Optional.of(
                TableName.parse(SnapshotDescription.parseFrom(folder.readAll(path)).getTable()));
      } catch (IOException | IllegalArgumentException e) {
        find(
            Severity.NOTE,
            entry.path(),
            "the snapshot cannot be read: " + e.getMessage(),
            "it stays as it is");
      }
      snapshots.add(new Snapshot(entry.name(), table));
    }
    snapshots.sort(Comparator.comparing(Snapshot::name));
    return snapshots;
  }
}
