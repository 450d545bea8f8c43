package dev.cairn.server.master.chore;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Lane;
import dev.cairn.server.master.meta.RegionStateStore;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.master.table.Tables;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes regions that were split or merged and whose files no other region refers to any more: the
 * files go to the archive, then {@code hbase:meta} forgets the region. As long as the table has no
 * regions in the place of one that was split, it stays as it is, since its files may be all there
 * is. Owned by the loop.
 */
public final class CatalogJanitor {
  /** The time between two checks. */
  public static final ConfigKey<Long> INTERVAL_MILLIS =
      ConfigKey.number(
          "hbase.catalogjanitor.interval",
          300_000,
          100,
          Integer.MAX_VALUE,
          "The time between two checks for split and merged regions to remove, milliseconds.");

  private static final Logger LOG = LoggerFactory.getLogger(CatalogJanitor.class);

  private final MasterLoop loop;
  private final TableFiles files;
  private final Tables tables;
  private final Assignments assignments;
  private final RegionStateStore catalog;
  private final Switches switches;
  private final Predicate<String> isBusy;
  private final Duration interval;

  /**
   * Creates a janitor.
   *
   * @param isBusy whether a procedure holds a resource
   * @param interval the time between two checks
   */
  public CatalogJanitor(
      MasterLoop loop,
      TableFiles files,
      Tables tables,
      Assignments assignments,
      RegionStateStore catalog,
      Switches switches,
      Predicate<String> isBusy,
      Duration interval) {
    this.loop = loop;
    this.files = files;
    this.tables = tables;
    this.assignments = assignments;
    this.catalog = catalog;
    this.switches = switches;
    this.isBusy = isBusy;
    this.interval = interval;
  }

  /** Begins to look now and then. */
  public void start() {
    loop.after(interval, this::look);
  }

  private void look() {
    if (switches.isOn(Switch.CATALOG_JANITOR)) {
      for (Tables.Table table : tables.all()) {
        if (!isBusy.test(TableResource.of(table.name()))) {
          tables.splitParents(table.name()).stream().filter(this::isReplaced).forEach(this::retire);
        }
      }
      tables
          .merges()
          .forEach(
              (merged, parents) -> {
                if (!isBusy.test(TableResource.of(merged.table()))) {
                  retire(merged, parents);
                }
              });
    }
    loop.after(interval, this::look);
  }

  /** Tells whether the table's regions cover all rows of {@code parent}. */
  private boolean isReplaced(RegionInfo parent) {
    TableName table = parent.table();
    CellComparator order = parent.comparator();
    List<RegionInfo> regions =
        assignments.regionsOf(table).stream()
            .sorted((one, two) -> order.compareRows(one.startKey(), two.startKey()))
            .toList();
    byte[] covered = parent.startKey();
    for (RegionInfo region : regions) {
      if (region.contains(covered)) {
        covered = region.endKey();
        if (covered.length == 0) {
          return true;
        }
        if (parent.endKey().length > 0 && order.compareRows(covered, parent.endKey()) >= 0) {
          return true;
        }
      }
    }
    return false;
  }

  private void retire(RegionInfo parent) {
    loop.perform(
        Lane.WORK,
        () -> files.retire(parent),
        gone -> {
          if (gone) {
            forget(parent);
          }
        },
        cause ->
            LOG.warn(
                "The split region {} stays for now, the next look tries again: {}",
                parent,
                cause.toString()));
  }

  private void retire(RegionInfo merged, List<RegionInfo> parents) {
    loop.perform(
        Lane.WORK,
        () -> {
          boolean gone = true;
          for (RegionInfo parent : parents) {
            gone &= files.retire(parent);
          }
          return gone;
        },
        gone -> {
          if (gone) {
            catalog.write(
                List.of(new CatalogChange.ForgetMerge(merged, parents)),
                () -> {
                  tables.removeMerge(merged);
                  LOG.info("{}, which were merged into {}, are archived", parents, merged);
                });
          }
        },
        cause ->
            LOG.warn(
                "The regions {} that were merged stay for now, the next look tries again: {}",
                parents,
                cause.toString()));
  }

  private void forget(RegionInfo parent) {
    catalog.write(
        List.of(new CatalogChange.RemoveRegion(parent)),
        () -> {
          tables.removeSplitParent(parent);
          LOG.info("{}, which was split, is archived", parent);
        });
  }
}
