package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.loadsplit.LoadSplitSettings;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.LoadSplits;
import dev.cairn.server.regionserver.maintenance.LoadSplits.LoadMeter;
import dev.cairn.server.regionserver.maintenance.LoadSplits.SplitRequests;
import dev.cairn.server.rpc.LoggedLines;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.split.SplitPolicy;
import dev.cairn.server.traffic.Traffic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Regions with too much load are split, or it is said why not, in simulated time. */
class LoadSplitsTest {
  private static final int PROCESSORS = 1;
  private static final int ROWS = 1_000;

  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final ManualClock clock = new ManualClock();
  private final OnlineRegions regions =
      new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  private final Requests requests = new Requests();
  private final LoadSplits splits = splits(Map.of());

  @RegisterExtension private final LoggedLines log = new LoggedLines(LoadSplits.class);

  /** Takes requests as the master would. */
  private static final class Requests implements SplitRequests {
    final List<String> rows = new ArrayList<>();
    boolean accepts = true;

    @Override
    public boolean request(HostedRegion region, byte[] row, String reason) {
      rows.add(region.info().table() + " " + Bytes.utf8(row));
      return accepts;
    }

    @Override
    public UnaryOperator<byte[]> allowedRows(TableSchema schema, SplitPolicy policy) {
      return UnaryOperator.identity();
    }
  }

  @BeforeEach
  void printSeed() {
    System.out.println("seed " + seed);
  }

  private LoadSplits splits(Map<String, String> settings) {
    return new LoadSplits(
        regions,
        LoadSplitSettings.of(new SiteConfig(settings)),
        requests,
        Traffic.off(clock),
        clock,
        new LoadMeter(() -> 0, () -> 0, random::nextInt, PROCESSORS));
  }

  private HostedRegion open(String table, Map<String, String> attributes) {
    TableSchema schema = TableSchema.of(TableName.parse(table), FamilySchema.of("f"));
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      schema = schema.withDefault(attribute.getKey(), attribute.getValue());
    }
    FakeRegion fake = new FakeRegion("");
    RegionInfo info = new RegionInfo(TableName.parse(table), Bytes.EMPTY, Bytes.EMPTY, 7);
    HostedRegion region =
        new HostedRegion(info, schema, fake, fake, fake.maintenance()).under(List.of(splits::over));
    regions.beginOpening(info);
    regions.opened(region);
    return region;
  }

  private HostedRegion open(String table) {
    return open(table, Map.of());
  }

  private void run(int seconds, int perSecond, IntSupplier rows, HostedRegion... loaded)
      throws IOException {
    for (int second = 0; second < seconds; second++) {
      for (HostedRegion region : loaded) {
        for (int i = 0; i < perSecond; i++) {
          byte[] row = Bytes.utf8(String.format("%07d", rows.getAsInt()));
          region
              .reads(1)
              .row(ScanRequest.row(row).build(), new CellBuffer(), ReadBudget.WHOLE_ROWS);
        }
      }
      clock.advanceMillis(1_000);
      splits.check();
    }
  }

  private int anyRow() {
    return random.nextInt(ROWS);
  }

  @Test
  void splitsAHotRegionAfterThePeriod() throws IOException {
    HostedRegion region = open("t");
    run(9, 5_000, this::anyRow, region);
    assertThat(requests.rows).isEmpty();
    run(1, 5_000, this::anyRow, region);
    assertThat(requests.rows).hasSize(1);
    assertThat(requests.rows.get(0)).isBetween("t 0000400", "t 0000600");
    assertThat(splits.notices()).isEmpty();
  }

  @Test
  void leavesRegionsAloneThatAreNotHot() throws IOException {
    run(30, 2_000, this::anyRow, open("t"));
    assertThat(requests.rows).isEmpty();
  }

  @Test
  void reportsAHotRowAndDoesNotSplit() throws IOException {
    HostedRegion region = open("t");
    run(10, 5_000, () -> 5, region);
    assertThat(requests.rows).isEmpty();
    assertThat(splits.notices()).hasSize(1);
    assertThat(splits.notices().get(0)).contains("The row <0000005> has 100 % of the load of t,");
    run(5, 5_000, () -> 5, region);
    assertThat(splits.notices()).as("while the region is hot").hasSize(1);
    run(5, 5_000, () -> 5, region);
    run(10, 5_000, () -> 6, region);
    assertThat(splits.notices().get(0)).contains("<0000006>");
    run(1, 0, () -> 6, region);
    assertThat(splits.notices()).isEmpty();
  }

  @Test
  void logsTheCauseOfAnUnspreadLoadOnce() throws IOException {
    HostedRegion region = open("t");
    run(30, 5_000, () -> 5, region);
    assertThat(log.all()).singleElement().asString().contains("The row <0000005>");
    run(10, 0, () -> 5, region);
    run(30, 5_000, () -> 5, region);
    assertThat(log.all()).as("the same row is hot again").hasSize(1);
    run(30, 5_000, () -> 6, region);
    assertThat(log.all()).as("another row is hot").hasSize(2);
    assertThat(log.all().get(1)).startsWith("WARN The row <0000006>");
  }

  @Test
  void logsTheCauseOfEachRegion() throws IOException {
    run(30, 5_000, () -> 5, open("a"), open("b"));
    assertThat(log.all())
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).contains("of the load of a,"),
            line -> assertThat(line).contains("of the load of b,"));
  }

  @Test
  void splitsForAppendedRowsOnlyOnce() throws IOException {
    AtomicInteger next = new AtomicInteger();
    HostedRegion region = open("t");
    run(10, 5_000, next::getAndIncrement, region);
    assertThat(requests.rows).hasSize(1);
    RegionInfo other = new RegionInfo(TableName.parse("t"), Bytes.utf8("x"), Bytes.EMPTY, 8);
    FakeRegion fake = new FakeRegion("");
    regions.beginOpening(other);
    regions.opened(new HostedRegion(other, region.schema(), fake, fake, fake.maintenance()));
    run(30, 5_000, next::getAndIncrement, region);
    assertThat(requests.rows).hasSize(1);
    assertThat(splits.notices().get(0)).contains("moves through its rows");
  }

  @Test
  void asksLessOftenWhileItIsRefused() throws IOException {
    HostedRegion region = open("t");
    run(300, 4_000, this::anyRow, region);
    assertThat(requests.rows).hasSizeBetween(5, 9); // 30 periods
  }

  @Test
  void splitsNoMoreWhileManyRegionsAreHot() throws IOException {
    HostedRegion[] hot = {open("a"), open("b"), open("c")};
    run(30, 4_000, this::anyRow, hot);
    assertThat(requests.rows).isEmpty();
    run(30, 4_000, this::anyRow, hot[0]);
    assertThat(requests.rows).isNotEmpty();
  }

  @Test
  void heedsTheTablesSettings() throws IOException {
    HostedRegion off = open("off", Map.of("cairn.loadsplit.enabled", "false"));
    HostedRegion early =
        open("early", Map.of("cairn.loadsplit.requests", "500", "cairn.loadsplit.period", "3000"));
    assertThat(off.load()).isEmpty();
    run(3, 1_000, this::anyRow, off, early);
    assertThat(requests.rows).hasSize(1);
    assertThat(requests.rows.get(0)).startsWith("early ");
  }

  @Test
  void idleRegionsNeedNoCheck() throws IOException {
    HostedRegion region = open("t");
    assertThat(splits.isDue()).as("a region has come").isTrue();
    run(1, 0, this::anyRow, region);
    assertThat(splits.isDue()).isFalse();
    run(1, 5_000, this::anyRow, region);
    assertThat(splits.isDue()).as("the region is hot").isTrue();
    run(20, 0, this::anyRow, region);
    assertThat(splits.isDue()).isFalse();
    region
        .reads(1)
        .row(ScanRequest.row(Bytes.utf8("1")).build(), new CellBuffer(), ReadBudget.WHOLE_ROWS);
    assertThat(splits.isDue()).as("the region has a sample").isTrue();
  }

  @Test
  void takesNoSamplesOfSystemTables() {
    assertThat(open("hbase:meta").load()).isEmpty();
    assertThat(open("hbase:quota").load()).isEmpty();
  }

  @Test
  void usesTheSitesSettingsIfThoseOfATableAreImpossible() {
    assertThat(open("t", Map.of("cairn.loadsplit.share", "7")).load()).isPresent();
  }
}
