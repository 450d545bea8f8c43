package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.catalog.QuotaTable;
import dev.cairn.server.quota.QuotaTarget;
import dev.cairn.server.regionserver.membership.MasterEpochs;
import dev.cairn.server.regionserver.membership.MasterWriteFence;
import dev.cairn.server.request.MultiMessage;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.CallSubject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

/** Writes of system tables as masters send them. */
class MasterWriteFenceTest {
  private static final RegionInfo REGION =
      new RegionInfo(TableName.parse("t"), new byte[0], new byte[0], 1);

  private final MasterEpochs epochs = new MasterEpochs(Clock.SYSTEM);
  private int written;
  private final CheckedMethod<MultiMessage, MultiResponse> multi =
      CheckedMethod.of(
          "Multi",
          List.of(new MasterWriteFence(epochs)),
          CallSubject::cluster,
          (call, request) -> {
            written++;
            return new CallOutcome.Answered<>(
                MultiResponse.newBuilder()
                    .addRegionActionResult(RegionActionResult.getDefaultInstance())
                    .build());
          });

  @Test
  void aReplacedMasterWritesNothing() throws IOException {
    write(5);
    epochs.obey(6);
    assertThatThrownBy(() -> write(5)).isInstanceOf(DoNotRetryIOException.class);
    assertThat(written).isEqualTo(1);
    write(6);
    assertThat(written).isEqualTo(2);
  }

  @Test
  void aReplacedMasterChangesNoNamespace() throws IOException {
    RegionInfo region = new RegionInfo(NamespaceTable.NAME, new byte[0], new byte[0], 1);
    NamespaceTable replaced = new NamespaceTable(Clock.SYSTEM, 5);
    replaced.put(region, this::call, List.of(NamespaceDescriptor.getDefaultInstance()));
    epochs.obey(6);
    assertThatThrownBy(
            () ->
                replaced.put(region, this::call, List.of(NamespaceDescriptor.getDefaultInstance())))
        .isInstanceOf(DoNotRetryIOException.class);
    assertThatThrownBy(() -> replaced.remove(region, this::call, "sales"))
        .isInstanceOf(DoNotRetryIOException.class);
    assertThat(written).isEqualTo(1);
  }

  @Test
  void aReplacedMasterChangesNoQuota() throws IOException {
    RegionInfo region = new RegionInfo(QuotaTarget.TABLE, new byte[0], new byte[0], 1);
    QuotaTarget target = QuotaTarget.table(TableName.parse("t"));
    QuotaTable replaced = new QuotaTable(Clock.SYSTEM, 5);
    replaced.write(region, this::call, target, Optional.empty());
    epochs.obey(6);
    assertThatThrownBy(() -> replaced.write(region, this::call, target, Optional.empty()))
        .isInstanceOf(DoNotRetryIOException.class);
    assertThatThrownBy(() -> replaced.writeFlag(region, this::call, target, true))
        .isInstanceOf(DoNotRetryIOException.class);
    assertThat(written).isEqualTo(1);
  }

  @Test
  void writesOfOthersPass() throws IOException {
    epochs.obey(6);
    MultiRequest withoutEpoch = MultiRequest.getDefaultInstance();
    multi.run(new FakeCall(), MultiMessage.parse(withoutEpoch.toByteArray()));
    assertThat(written).isEqualTo(1);
  }

  /** Sends what a master of that epoch sends. */
  private void write(long epoch) throws IOException {
    Catalog catalog = new Catalog(this::call, Clock.SYSTEM, epoch);
    catalog.apply(List.of(new CatalogChange.AddRegion(REGION)));
  }

  @SuppressWarnings("unchecked") // the only method that is called
  private <R extends Message> R call(String method, Message request, R prototype)
      throws IOException {
    MultiMessage message = MultiMessage.parse(request.toByteArray());
    return (R) FakeCall.answer(multi.run(new FakeCall(), message));
  }
}
