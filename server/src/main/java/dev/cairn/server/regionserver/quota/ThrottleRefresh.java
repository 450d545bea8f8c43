package dev.cairn.server.regionserver.quota;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.catalog.QuotaContents;
import dev.cairn.server.quota.QuotaTarget;
import dev.cairn.server.quota.Throttles;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.SpaceLimits;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the settings of {@code hbase:quota} in force: when its region is opened here, and
 * periodically, wherever the region is.
 */
public final class ThrottleRefresh {

  /** Reads {@code hbase:quota} at another server. */
  @FunctionalInterface
  public interface QuotaSource {
    /** Reads all settings. Waits for the network. */
    QuotaContents read() throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(ThrottleRefresh.class);

  private final OnlineRegions regions;
  private final Throttles throttles;
  private final SpaceLimits space;
  private final QuotaSource elsewhere;
  private final boolean enabled;
  private volatile String lastProblem = "";

  /**
   * Creates a refresh that does nothing unless {@code enabled}.
   *
   * @param elsewhere reads the settings if they are on another server
   */
  public ThrottleRefresh(
      OnlineRegions regions,
      Throttles throttles,
      SpaceLimits space,
      QuotaSource elsewhere,
      boolean enabled) {
    this.regions = regions;
    this.throttles = throttles;
    this.space = space;
    this.elsewhere = elsewhere;
    this.enabled = enabled;
  }

  /** Looks at the settings if {@code region}, which is about to be online, has them. */
  public void opened(HostedRegion region) {
    if (enabled && hasSettings(region)) {
      refresh(() -> read(region));
    }
  }

  /** Reads the settings. May wait for another server. */
  public void check() {
    if (enabled) {
      List<HostedRegion> here =
          regions.open().stream().filter(ThrottleRefresh::hasSettings).toList();
      refresh(here.isEmpty() ? elsewhere : () -> read(here.get(0)));
    }
  }

  private static boolean hasSettings(HostedRegion region) {
    return region.info().table().equals(QuotaTarget.TABLE) && isWhole(region);
  }

  /** Tells whether it is the table's only region. */
  private static boolean isWhole(HostedRegion region) {
    return region.info().startKey().length == 0 && region.info().endKey().length == 0;
  }

  private void refresh(QuotaSource source) {
    try {
      QuotaContents contents = source.read();
      throttles.set(contents.inForce(), contents.mayExceed());
      space.set(contents.spaceStates());
      lastProblem = "";
    } catch (IOException e) {
      String problem = e.toString();
      if (!problem.equals(lastProblem)) {
        LOG.info("The quotas stay as they were: {}", problem);
      }
      lastProblem = problem;
    }
  }

  private static QuotaContents read(HostedRegion region) throws IOException {
    QuotaContents contents = new QuotaContents();
    ScanRequest.Builder request = ScanRequest.builder();
    QuotaContents.families().forEach(family -> request.family(family, FamilySelection.ALL));
    CellBuffer row = new CellBuffer();
    try (RegionRead read = region.reads(0).read(request.build(), ReadBudget.WHOLE_ROWS)) {
      ScanProgress progress = ScanProgress.ROW_DONE;
      while (progress != ScanProgress.END) {
        progress = read.next(row, ReadBudget.WHOLE_ROWS);
        for (int i = 0; i < row.size(); i++) {
          Cell cell = row.get(i);
          contents.take(cell.row(), cell.family(), cell.qualifier(), cell.value());
        }
        row.clear();
      }
    }
    return contents;
  }
}
