package dev.cairn.server.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalHook;
import dev.cairn.server.catalog.MetaFormat;
import dev.cairn.server.catalog.TableSupport;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.FakeRegion;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReportedNamesTest {
  private static final String BUILT_IN = "MultiRowMutationEndpoint";
  private static final HostedRegion META = region(MetaFormat.schema());
  private static final HostedRegion PLAIN = region(FakeRegion.SCHEMA);

  private static final LogHooks LOGS =
      new LogHooks() {
        @Override
        public Optional<WalHook> of(RegionInfo region, TableSchema schema, Wal log) {
          return Optional.empty();
        }

        @Override
        public void rolling(String path, String next) {}

        @Override
        public void rolled(String path, String next) {}

        @Override
        public Set<String> names() {
          return Set.of("Z", "A");
        }

        @Override
        public void close() {}
      };

  private static HostedRegion region(TableSchema schema) {
    FakeRegion fake = new FakeRegion("");
    return new HostedRegion(
        new RegionInfo(schema.name(), Bytes.EMPTY, Bytes.EMPTY, 7),
        schema,
        fake,
        fake,
        fake.maintenance());
  }

  private static Set<String> names(Map<String, String> site, HostedRegion... open) {
    return new ReportedNames(new SiteConfig(site), Optional.empty()).of(List.of(open));
  }

  @Test
  void aServerWithHbaseMetaReportsItsEndpoint() {
    assertThat(names(Map.of(), META, PLAIN)).containsExactly(BUILT_IN);
    assertThat(names(Map.of(), PLAIN)).isEmpty();
    assertThat(names(Map.of())).isEmpty();
  }

  @Test
  void theSiteMaySwitchTheEndpointsOfTablesOff() {
    assertThat(names(Map.of("hbase.coprocessor.enabled", "false"), META)).isEmpty();
    assertThat(names(Map.of("hbase.coprocessor.user.enabled", "false"), META)).isEmpty();
  }

  @Test
  void theSiteMayNameWhatIsBuiltIn() {
    Map<String, String> all =
        Map.of("hbase.coprocessor.region.classes", TableSupport.MULTI_ROW_MUTATION);
    Map<String, String> ofUsers =
        Map.of(
            "hbase.coprocessor.user.region.classes",
            TableSupport.MULTI_ROW_MUTATION,
            "hbase.coprocessor.user.enabled",
            "true");
    HostedRegion system = region(TableSchema.of(MetaFormat.schema().name()));
    assertThat(names(all, system)).containsExactly(BUILT_IN);
    assertThat(names(ofUsers, system)).isEmpty();
    assertThat(names(ofUsers, PLAIN)).containsExactly(BUILT_IN);
  }

  @Test
  void aRefusedRegionHasNone() {
    assertThat(
            names(
                Map.of(),
                HostedRegion.refused(META.info(), META.schema(), 1, "its class is missing")))
        .isEmpty();
  }

  @Test
  void theNamesOfLogsAreAmongThem_sorted() {
    assertThat(
            new ReportedNames(new SiteConfig(Map.of()), Optional.of(LOGS)).of(List.of(META, META)))
        .containsExactly("A", BUILT_IN, "Z");
  }
}
