package dev.cairn.coprocessor.facade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.coprocessor.Lines;
import dev.cairn.engine.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;

/** Counts the scanners that hooks keep, and names a region that has many. */
class KeptScannersTest {
  private final RegionInfo region = RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
  private final KeptScanners kept = new KeptScanners();

  private ScannerFacade scanner() {
    return ScannerFacade.of(
        region, Clock.SYSTEM, new Scan(), Facades.read(new ArrayList<>()), Optional.empty(), kept);
  }

  @Test
  void theLogNamesARegionWithManyEachTimeTheyHaveDoubled() {
    List<ScannerFacade> scanners = new ArrayList<>();
    try (Lines log = new Lines(KeptScanners.class)) {
      for (int i = 1; i <= 4 * KeptScanners.MANY; i++) {
        ScannerFacade scanner = scanner();
        scanners.add(scanner);
        scanner.leave();
        assertThat(kept.count()).isEqualTo(i);
        int lines =
            i >= 4 * KeptScanners.MANY
                ? 3
                : Integer.numberOfTrailingZeros(
                    Integer.highestOneBit(2 * i / KeptScanners.MANY | 1));
        assertThat(log.all()).as("at %s", i).hasSize(lines);
      }
      assertThat(log.all().get(0))
          .contains(region.getRegionNameAsString(), "keep " + KeptScanners.MANY + " scanners");
    }
    scanners.forEach(ScannerFacade::close);
    assertThat(kept.count()).isZero();
  }

  @Test
  void aClosedScannerIsNotKept() {
    ScannerFacade scanner = scanner();
    scanner.close();
    scanner.leave();
    assertThat(kept.count()).isZero();
  }
}
