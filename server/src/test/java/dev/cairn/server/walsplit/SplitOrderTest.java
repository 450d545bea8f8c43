package dev.cairn.server.walsplit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RemoteProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SplitWALParameter;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitOrderTest {
  private static final SplitOrder ORDER =
      new SplitOrder(
          ServerName.parse("host.example.org,16020,17"),
          new LogPart(LogKind.REGIONS, 31),
          new FencingToken(1_700_000_000_000L, 4),
          new FencingToken(1_700_000_000_000L, 12));

  @Test
  void anOrderIsReadAsItWasWritten() throws IOException {
    SplitOrder meta =
        new SplitOrder(
            ORDER.dead(), new LogPart(LogKind.META, 0), ORDER.scratch(), ORDER.token().next());
    assertThat(SplitOrder.of(ORDER.message())).isEqualTo(ORDER);
    assertThat(SplitOrder.of(meta.message())).isEqualTo(meta);
    assertThat(ORDER.path())
        .isEqualTo("WALs/host.example.org,16020,17-splitting#regions-31@1700000000000-4");
  }

  private static RemoteProcedureRequest ofPath(String path) {
    return ORDER.message().toBuilder()
        .setProcData(SplitWALParameter.newBuilder().setWalPath(path).build().toByteString())
        .build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "WALs/host,16020,17-splitting/host%2C16020%2C17.1",
        "WALs/host,16020,17#meta@1-1",
        "WALs/host,16020-splitting#meta@1-1",
        "WALs/host,16020,17-splitting#regions-32@1-1",
        "WALs/host,16020,17-splitting#regions--1@1-1",
        "WALs/host,16020,17-splitting#meta@../x",
        "WALs/host,16020,17-splitting#meta@99999999999999999999-1",
        "WALs/../x/host,16020,17-splitting#meta@1-1",
        "data/host,16020,17-splitting#meta@1-1",
      })
  void whatIsNoPartOfALogIsRefusedByName(String path) {
    assertThatThrownBy(() -> SplitOrder.of(ofPath(path)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(path + " is no part of a log");
  }

  @Test
  void otherProceduresAndOrdersWithoutAnEpochAreRefused() {
    assertThatThrownBy(
            () -> SplitOrder.of(ORDER.message().toBuilder().setProcClass("x.Other").build()))
        .hasMessage("Cairn does not support the remote procedure x.Other");
    assertThatThrownBy(
            () ->
                SplitOrder.of(
                    ORDER.message().toBuilder().clearInitiatingMasterActiveTime().build()))
        .hasMessageContaining("initiating_master_active_time");
    assertThatThrownBy(
            () ->
                SplitOrder.of(
                    ORDER.message().toBuilder()
                        .setProcData(ByteString.copyFromUtf8("garbage"))
                        .build()))
        .hasMessageContaining("SplitWALParameter");
  }
}
