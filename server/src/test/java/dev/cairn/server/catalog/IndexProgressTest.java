package dev.cairn.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.index.TableIndexes.Index;
import dev.cairn.engine.region.IndexBuild;
import dev.cairn.server.catalog.IndexProgress.State;
import dev.cairn.server.loadsplit.LoadTotals;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.junit.jupiter.api.Test;

/** The state of indexes as it travels in reports of regions. */
class IndexProgressTest {
  private static final Index I = index("i", "f:a, f:b");
  private static final Index OTHER = index("other", "f:c");

  private static Index index(String name, String columns) {
    return table(name, columns).all().get(0);
  }

  private static TableIndexes table(String name, String columns) {
    return TableIndexes.of(Map.of(TableIndexes.PREFIX + name, columns), List.of(new byte[] {'f'}));
  }

  private static IndexProgress progress(List<Optional<RegionLoad>> regions) {
    List<IndexProgress> all = IndexProgress.of(table("i", "f:a, f:b"), regions);
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  /** Returns a report as the receiver reads it. */
  private static Optional<RegionLoad> report(IndexBuild... builds)
      throws InvalidProtocolBufferException {
    RegionLoad.Builder load =
        RegionLoad.newBuilder()
            .setRegionSpecifier(
                RegionSpecifier.newBuilder()
                    .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
                    .setValue(ByteString.copyFrom(Bytes.utf8("r"))));
    new LoadTotals(1, 2, 3).write(load, Optional.of("a notice"));
    IndexProgress.write(load, List.of(builds));
    RegionLoad received = RegionLoad.parseFrom(load.build().toByteString());
    assertThat(LoadTotals.read(received)).isEqualTo(new LoadTotals(1, 2, 3));
    assertThat(LoadTotals.notice(received)).contains("a notice");
    return Optional.of(received);
  }

  @Test
  void theReportsOfAllRegionsAddUp() throws InvalidProtocolBufferException {
    IndexProgress progress =
        progress(
            List.of(
                report(new IndexBuild(OTHER, 9, 0), new IndexBuild(I, 3, 3)),
                report(new IndexBuild(I, 4, 1)),
                report(new IndexBuild(I, 0, 0))));
    assertThat(progress)
        .isEqualTo(new IndexProgress("i", List.of("f:a", "f:b"), 3, 2, 7, 4, Optional.empty()));
    assertThat(progress.state(true)).isEqualTo(State.BUILDING);
    assertThat(progress.state(false)).isEqualTo(State.PAUSED);
  }

  @Test
  void anIndexIsReadyWhenEachRegionHasIt() throws InvalidProtocolBufferException {
    IndexProgress progress =
        progress(List.of(report(new IndexBuild(I, 3, 3)), report(new IndexBuild(I, 1, 1))));
    assertThat(progress.state(true)).isEqualTo(State.READY);
    assertThat(progress.state(false)).isEqualTo(State.READY);
  }

  @Test
  void aRegionWithoutAReportOfTheIndexIsNotComplete() throws InvalidProtocolBufferException {
    assertThat(progress(List.of(Optional.empty(), report())))
        .isEqualTo(new IndexProgress("i", List.of("f:a", "f:b"), 2, 0, 0, 0, Optional.empty()));
  }

  @Test
  void aRegionTellsWhyItCannotBuildTheIndex() throws InvalidProtocolBufferException {
    IndexProgress progress =
        progress(
            List.of(
                report(new IndexBuild(I, 3, 3)),
                report(new IndexBuild(I, 4, 1, Optional.of("The disk is full")))));
    assertThat(progress.problem()).contains("The disk is full");
  }

  /** An index was dropped, and created under the same name. */
  @Test
  void aReportOfOtherColumnsDoesNotCount() throws InvalidProtocolBufferException {
    assertThat(progress(List.of(report(new IndexBuild(index("i", "f:a"), 3, 3)))))
        .isEqualTo(new IndexProgress("i", List.of("f:a", "f:b"), 1, 0, 0, 0, Optional.empty()));
  }
}
