package dev.cairn.launcher.regions;

import dev.cairn.launcher.regions.SplitProgress.Planned;
import dev.cairn.shell.split.SplitAlgorithm;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Creates a table with regions, or splits each region of a table in two. Prints a line for each
 * step. Not thread-safe.
 */
public final class RegionSplitter {
  private static final long SPLIT_MINUTES = 10;
  private static final long POLL_MILLIS = 50;

  private final Admin admin;
  private final TableName table;
  private final SplitAlgorithm algorithm;
  private final Consumer<String> out;

  /** Creates a splitter for one table. */
  public RegionSplitter(
      Admin admin, TableName table, SplitAlgorithm algorithm, Consumer<String> out) {
    this.admin = admin;
    this.table = table;
    this.algorithm = algorithm;
    this.out = out;
  }

  /**
   * Creates the table.
   *
   * @param families the names of its families
   * @param regions the number of its regions, at least 2
   * @throws IllegalArgumentException if there are not enough rows for so many regions
   */
  public void create(List<String> families, int regions) throws IOException {
    if (admin.tableExists(table)) {
      throw new TableExistsException("Table already exists: " + table);
    }
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
    families.forEach(family -> builder.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family)));
    byte[][] rows = algorithm.split(regions).toArray(byte[][]::new);
    out.accept(
        "Creating table %s with %d column families, divided into %d regions"
            .formatted(table, families.size(), regions));
    admin.createTable(builder.build(), rows);
    out.accept("Finished creating table " + table);
  }

  /**
   * Splits each region, and requests compactions of the daughters, so that they own their files.
   * Continues an interrupted run.
   *
   * @param outstanding the maximum number of split regions whose daughters are not yet compacted
   * @param waits whether to wait for compactions
   * @param folder the folder of the progress file, which exists until all is done
   * @throws IllegalArgumentException if the algorithm cannot divide a region
   */
  public void split(int outstanding, boolean waits, Path folder) throws IOException {
    if (!admin.tableExists(table)) {
      throw new TableNotFoundException("Table " + table + " does not exist");
    }
    String name = table.getNameAsString().replace(':', '_') + "_balancedSplit";
    SplitProgress progress = new SplitProgress(folder.resolve(name));
    if (progress.exists()) {
      out.accept("Continuing with the remaining splits in " + progress.file());
    } else {
      progress.write(plan());
    }
    List<Planned> left = progress.left();
    Deque<Planned> compacting = new ArrayDeque<>();
    for (int i = 0; i < left.size(); i++) {
      Planned plan = left.get(i);
      if (compacting.size() >= outstanding) {
        awaitCompactions(compacting.remove());
      }
      splitOne(plan);
      progress.done(plan);
      out.accept("%d of %d regions are split".formatted(i + 1, left.size()));
      if (waits) {
        compact(plan);
        compacting.add(plan);
      }
    }
    while (!compacting.isEmpty()) {
      awaitCompactions(compacting.remove());
    }
    progress.end();
    out.accept("All regions of " + table + " are split");
  }

  private List<Planned> plan() throws IOException {
    List<Planned> plans = new ArrayList<>();
    for (RegionInfo region : admin.getRegions(table)) {
      plans.add(
          new Planned(
              region.getStartKey(), algorithm.middle(region.getStartKey(), region.getEndKey())));
    }
    return plans;
  }

  private void splitOne(Planned plan) throws IOException {
    RegionInfo region = regionOf(plan.middle());
    if (Arrays.equals(region.getStartKey(), plan.middle())) {
      out.accept("A region begins at " + Bytes.toStringBinary(plan.middle()) + " already");
      return;
    }
    out.accept("Splitting at " + Bytes.toStringBinary(plan.middle()));
    try {
      admin
          .splitRegionAsync(region.getRegionName(), plan.middle())
          .get(SPLIT_MINUTES, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw interrupted();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(
          region.getRegionNameAsString() + " is not split after " + SPLIT_MINUTES + " minutes", e);
    }
  }

  private RegionInfo regionOf(byte[] row) throws IOException {
    for (RegionInfo region : admin.getRegions(table)) {
      if (region.containsRow(row)) {
        return region;
      }
    }
    throw new UnknownRegionException("No region of " + table + " has " + Bytes.toStringBinary(row));
  }

  private List<byte[]> daughters(Planned plan) throws IOException {
    return List.of(regionOf(plan.start()).getRegionName(), regionOf(plan.middle()).getRegionName());
  }

  private void compact(Planned plan) throws IOException {
    for (byte[] region : daughters(plan)) {
      admin.majorCompactRegion(region);
    }
  }

  private void awaitCompactions(Planned plan) throws IOException {
    try {
      for (byte[] region : daughters(plan)) {
        while (admin.getCompactionStateForRegion(region) != CompactionState.NONE) {
          TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("The rolling split was interrupted");
  }
}
