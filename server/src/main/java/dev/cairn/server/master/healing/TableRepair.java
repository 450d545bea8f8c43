package dev.cairn.server.master.healing;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.RegionContents;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.master.healing.Finding.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * The repair of one table whose regions and directories differ. First {@link #createDirectories},
 * then the {@link #changes} are written, then {@link #discardDirectories}: if it is interrupted,
 * the next census continues from there. Only this repair changes the table's regions meanwhile.
 */
final class TableRepair {
  private final TableFiles files;
  private final TableSchema schema;
  private final RegionCensus.Plan plan;

  private TableRepair(TableFiles files, TableSchema schema, RegionCensus.Plan plan) {
    this.files = files;
    this.schema = schema;
    this.plan = plan;
  }

  /**
   * Plans the repair; waits for the storage.
   *
   * @param listed the regions that are known to serve
   * @param replaced those that are known to be split or merged
   * @param newId returns an id for new regions, above the one that it is given
   */
  static TableRepair plan(
      TableFiles files,
      TableSchema schema,
      Collection<RegionInfo> listed,
      Collection<RegionInfo> replaced,
      LongUnaryOperator newId)
      throws IOException {
    List<RegionContents> directories = files.regionContents(schema.name());
    return new TableRepair(
        files, schema, new RegionCensus(schema.name(), listed, replaced, directories).plan(newId));
  }

  RegionCensus.Plan plan() {
    return plan;
  }

  TableSchema schema() {
    return schema;
  }

  /** Makes the directories of new regions; waits for the storage. */
  void createDirectories() throws IOException {
    files.addRegions(schema, plan.created());
  }

  /** Moves the directories of discarded regions to the archive; waits for the storage. */
  void discardDirectories() throws IOException {
    for (RegionInfo region : plan.discarded()) {
      files.retire(region);
    }
  }

  /**
   * Returns the changes of the catalog.
   *
   * @param hosts where regions are open that the catalog does not have, by encoded name
   */
  List<CatalogChange> changes(Map<String, ServerName> hosts) {
    List<CatalogChange> changes = new ArrayList<>();
    for (RegionInfo region : plan.added()) {
      changes.add(
          opened(region, Optional.ofNullable(hosts.get(region.encodedName())), 1)
              .orElse(new CatalogChange.AddRegion(region)));
    }
    for (RegionCensus.Parent parent : plan.parents()) {
      changes.add(new CatalogChange.AddParent(parent.region(), parent.heirs()));
    }
    return changes;
  }

  private Optional<CatalogChange> opened(
      RegionInfo region, Optional<ServerName> host, long sequence) {
    return host.map(server -> new CatalogChange.RegionOpened(region, server, sequence));
  }

  /** Describes the problems and the repairs. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    for (RegionInfo region : plan.adopted()) {
      findings.add(
          of(
              Kind.LOST_ROW,
              region,
              "hbase:meta had no row of the region",
              "Restored the row from" + " the region's directory"));
    }
    for (RegionInfo region : plan.revived()) {
      findings.add(
          of(
              Kind.LOST_HEIRS,
              region,
              "The region was split or merged, but no other region has all of its rows",
              "The region serves again"));
    }
    for (RegionCensus.Parent parent : plan.parents()) {
      findings.add(
          of(
              Kind.LOST_PARENT,
              parent.region(),
              "hbase:meta had no row of the region, which was split or merged into "
                  + parent.heirs(),
              "Restored the row; the region goes to the archive when nothing refers to it"));
    }
    for (RegionInfo region : plan.discarded()) {
      findings.add(
          of(
              Kind.LEFTOVER,
              region,
              "The directory has no cells of its own, and other regions have its rows",
              "Moved the directory to the archive"));
    }
    for (RegionInfo region : plan.created()) {
      findings.add(
          of(
              Kind.HOLE,
              region,
              "No region and no directory had the rows from '%s' to '%s'"
                  .formatted(
                      Bytes.toStringBinary(region.startKey()),
                      Bytes.toStringBinary(region.endKey())),
              "Created an empty region"));
    }
    for (String directory : plan.unreadable()) {
      findings.add(
          new Finding(
              Kind.UNREADABLE_DIRECTORY,
              TableFiles.directory(schema.name()) + "/" + directory,
              "The directory has no .regioninfo that describes its region",
              Finding.NOTHING
                  + "Restore the file, or move the directory away; holes of the table stay open"
                  + " until then"));
    }
    return findings;
  }

  private static Finding of(Kind kind, RegionInfo region, String found, String done) {
    return new Finding(kind, region.regionNameAsString(), found, done);
  }
}
