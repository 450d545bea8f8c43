package dev.cairn.server.master.chore;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.meta.RegionStateStore;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.master.table.Tables;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks {@code hbase:meta} periodically: restores lost rows, and removes split and merged regions
 * whose files no other region refers to any more: the files go to the archive, then {@code
 * hbase:meta} forgets the region. While the table has no regions in place of a split one, that one
 * stays as it is, since its files may be the only copy. Owned by the loop.
 */
public final class CatalogJanitor {
  /** The time between two checks. */
  public static final ConfigKey<Long> INTERVAL_MILLIS =
      ConfigKey.number(
          "hbase.catalogjanitor.interval",
          300_000,
          100,
          Integer.MAX_VALUE,
          "Time between two checks for split and merged regions to remove, in milliseconds.");

  private static final Logger LOG = LoggerFactory.getLogger(CatalogJanitor.class);

  private final MasterLoop loop;
  private final TableFiles files;
  private final Tables tables;
  private final Assignments assignments;
  private final RegionStateStore catalog;
  private final Switches switches;
  private final Predicate<String> isBusy;
  private final Healing healing;
  private final Duration interval;

  /** Restores the rows that the catalog has lost. */
  @FunctionalInterface
  public interface Healing {
    /** Checks once, repairs its findings, and then runs {@code ended}. */
    void look(Runnable ended);
  }

  /**
   * Creates a janitor.
   *
   * @param isBusy whether a procedure holds a resource
   * @param healing looks first at each check
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
      Healing healing,
      Duration interval) {
    this.loop = loop;
    this.files = files;
    this.tables = tables;
    this.assignments = assignments;
    this.catalog = catalog;
    this.switches = switches;
    this.isBusy = isBusy;
    this.healing = healing;
    this.interval = interval;
  }

  /** Begins to look now and then. */
  public void start() {
    loop.after(interval, this::look);
  }

  private void look() {
    if (switches.isOn(Switch.CATALOG_JANITOR)) {
      run(archived -> {});
    }
    loop.after(interval, this::look);
  }

  /**
   * Checks once, whatever the switch.
   *
   * @param ended receives the number of archived split and merged regions
   */
  public void run(IntConsumer ended) {
    healing.look(() -> retire(ended));
  }

  private void retire(IntConsumer ended) {
    List<Retirement> due = new ArrayList<>();
    for (Tables.Table table : tables.all()) {
      if (!isBusy.test(TableResource.of(table.name()))) {
        tables.splitParents(table.name()).stream()
            .filter(this::isReplaced)
            .forEach(parent -> due.add(split(parent)));
      }
    }
    tables
        .merges()
        .forEach(
            (merged, parents) -> {
              if (!isBusy.test(TableResource.of(merged.table()))) {
                due.add(merged(merged, parents));
              }
            });
    if (due.isEmpty()) {
      ended.accept(0);
      return;
    }
    int[] open = {due.size()};
    int[] archived = {0};
    IntConsumer one =
        regions -> {
          archived[0] += regions;
          if (--open[0] == 0) {
            ended.accept(archived[0]);
          }
        };
    due.forEach(retirement -> retire(retirement, one));
  }

  /**
   * Regions that may no longer be needed.
   *
   * @param regions go to the archive together
   * @param change removes them from the catalog
   * @param forget makes the master forget them
   */
  private record Retirement(List<RegionInfo> regions, CatalogChange change, Runnable forget) {}

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

  private Retirement split(RegionInfo parent) {
    return new Retirement(
        List.of(parent),
        new CatalogChange.RemoveRegion(parent),
        () -> {
          tables.removeSplitParent(parent);
          LOG.info("{}, which was split, is archived", parent);
        });
  }

  private Retirement merged(RegionInfo merged, List<RegionInfo> parents) {
    return new Retirement(
        parents,
        new CatalogChange.ForgetMerge(merged, parents),
        () -> {
          tables.removeMerge(merged);
          LOG.info("{}, which were merged into {}, are archived", parents, merged);
        });
  }

  private void retire(Retirement retirement, IntConsumer archived) {
    loop.perform(
        Lane.FILES,
        () -> {
          boolean gone = true;
          for (RegionInfo region : retirement.regions()) {
            gone &= files.retire(region);
          }
          return gone;
        },
        gone -> {
          if (gone) {
            forget(retirement, archived);
          } else {
            archived.accept(0);
          }
        },
        cause -> stay(retirement, cause, archived));
  }

  private void forget(Retirement retirement, IntConsumer archived) {
    catalog.write(
        List.of(retirement.change()),
        Completion.of(
            () -> {
              retirement.forget().run();
              archived.accept(retirement.regions().size());
            },
            cause -> stay(retirement, cause, archived)));
  }

  private static void stay(Retirement retirement, IOException cause, IntConsumer archived) {
    LOG.warn(
        "The regions {}, which were split or merged, stay for now; the next check tries again: {}",
        retirement.regions(),
        cause.toString());
    archived.accept(0);
  }
}
