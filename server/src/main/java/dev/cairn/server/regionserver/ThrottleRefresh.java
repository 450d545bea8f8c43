package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.quota.QuotaTarget;
import dev.cairn.server.quota.Throttles;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the settings of {@code hbase:quota} in force: when its region is opened, and now and then.
 * The region is on this server, since there is one.
 */
final class ThrottleRefresh {
  private static final Logger LOG = LoggerFactory.getLogger(ThrottleRefresh.class);

  private final OnlineRegions regions;
  private final Throttles throttles;
  private final boolean enabled;

  /** Creates what does nothing at all unless {@code enabled}. */
  ThrottleRefresh(OnlineRegions regions, Throttles throttles, boolean enabled) {
    this.regions = regions;
    this.throttles = throttles;
    this.enabled = enabled;
  }

  /** Looks at the settings if {@code region}, which is about to be online, has them. Returns it. */
  HostedRegion opened(HostedRegion region) {
    if (enabled) {
      check(region);
    }
    return region;
  }

  /** Looks at the settings. */
  void check() {
    if (enabled) {
      regions.open().forEach(this::check);
    }
  }

  private void check(HostedRegion region) {
    if (region.info().table().equals(QuotaTarget.TABLE)) {
      try {
        refresh(region);
      } catch (IOException e) {
        LOG.warn("The quotas stay as they were: {}", e.toString());
      }
    }
  }

  private void refresh(HostedRegion region) throws IOException {
    Map<QuotaTarget, Quotas> settings = new HashMap<>();
    boolean exceed = false;
    boolean enabled = true;
    ScanRequest request =
        ScanRequest.builder()
            .family(QuotaTarget.FAMILY, FamilySelection.ALL)
            .family(
                QuotaTarget.USAGE, FamilySelection.of(Bytes.utf8(QuotaTarget.ENABLED.qualifier())))
            .build();
    CellBuffer row = new CellBuffer();
    try (RegionRead read = region.reads(0).read(request, ReadBudget.WHOLE_ROWS)) {
      ScanProgress progress = ScanProgress.ROW_DONE;
      while (progress != ScanProgress.END) {
        progress = read.next(row, ReadBudget.WHOLE_ROWS);
        for (int i = 0; i < row.size(); i++) {
          Cell cell = row.get(i);
          QuotaTarget target =
              new QuotaTarget(
                  Bytes.utf8(cell.family()), Bytes.utf8(cell.row()), Bytes.utf8(cell.qualifier()));
          if (target.equals(QuotaTarget.EXCEED)) {
            exceed = cell.valueLength() > 0 && cell.value()[0] != 0;
          } else if (target.equals(QuotaTarget.ENABLED)) {
            enabled = cell.valueLength() > 0 && cell.value()[0] != 0;
          } else {
            settings.put(
                target,
                Quotas.parseFrom(
                    Messages.unprefixed(cell.value(), target + " of " + QuotaTarget.TABLE)));
          }
        }
        row.clear();
      }
    }
    throttles.set(enabled ? settings : Map.of(), exceed);
  }
}
