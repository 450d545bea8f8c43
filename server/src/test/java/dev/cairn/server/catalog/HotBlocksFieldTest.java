package dev.cairn.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.region.HotBlocks;
import dev.cairn.engine.schema.RegionInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetStoreFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetStoreFileResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WarmupRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.junit.jupiter.api.Test;

/** The hot blocks of a region, on their way from one server over the master to the other. */
class HotBlocksFieldTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private static WarmupRegionRequest passed(HotBlocks blocks) throws IOException {
    GetStoreFileResponse.Builder response = GetStoreFileResponse.newBuilder();
    HotBlocksField.write(response, blocks);
    WarmupRegionRequest.Builder request =
        WarmupRegionRequest.newBuilder().setRegionInfo(Messages.message(RegionInfo.META));
    HotBlocksField.pass(
        GetStoreFileResponse.parseFrom(response.build().toByteArray()), request, TIMEOUT);
    return WarmupRegionRequest.parseFrom(request.build().toByteArray());
  }

  @Test
  void blocksArriveAsTheyWereSent() throws IOException {
    HotBlocks.File one = new HotBlocks.File("f", "abc");
    HotBlocks.File two = new HotBlocks.File("g", "def_SeqId_7_");
    WarmupRegionRequest request =
        passed(
            new HotBlocks(Map.of(one, new long[] {0, 1, 65_536, 1L << 40}, two, new long[] {77})));
    HotBlocks read = HotBlocksField.read(request);
    assertThat(read.count()).isEqualTo(5);
    assertThat(read.offsets("f", "abc")).containsExactly(0, 1, 65_536, 1L << 40);
    assertThat(read.offsets("g", "def_SeqId_7_")).containsExactly(77);
    assertThat(HotBlocksField.timeout(request)).contains(TIMEOUT);
  }

  @Test
  void otherServersNeitherAskNorTell() throws IOException {
    GetStoreFileRequest.Builder request =
        GetStoreFileRequest.newBuilder()
            .setRegion(
                HBaseProtos.RegionSpecifier.newBuilder()
                    .setType(HBaseProtos.RegionSpecifier.RegionSpecifierType.ENCODED_REGION_NAME)
                    .setValue(Messages.wrap(new byte[] {1})));
    assertThat(HotBlocksField.isAsked(request.build())).isFalse();
    HotBlocksField.ask(request);
    assertThat(HotBlocksField.isAsked(request.build())).isTrue();
    WarmupRegionRequest warmUp =
        WarmupRegionRequest.newBuilder().setRegionInfo(Messages.message(RegionInfo.META)).build();
    assertThat(HotBlocksField.read(warmUp)).isEqualTo(HotBlocks.NONE);
    assertThat(HotBlocksField.timeout(warmUp)).isEmpty();
  }

  @Test
  void aListThatIsTooLongIsRefused() throws IOException {
    long[] offsets = LongStream.range(0, HotBlocksField.BLOCKS_MAX + 1).toArray();
    WarmupRegionRequest request =
        passed(new HotBlocks(Map.of(new HotBlocks.File("f", "abc"), offsets)));
    assertThatThrownBy(() -> HotBlocksField.read(request)).hasMessageContaining("hot blocks");
  }
}
