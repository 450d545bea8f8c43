package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.rpc.client.ClientCall;
import dev.cairn.server.rpc.client.ClientConnection;
import dev.cairn.server.rpc.client.RpcClient;
import dev.cairn.server.rpc.wire.CellBlockCodec;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ends calls of a connection before it is open; the test decides when it opens. */
class ClientConnectionTest {
  private final ClientConnection connection =
      new ClientConnection("localhost:1", "ClientService", CellBlockCodec.NONE, "cairn");
  private EmbeddedChannel channel;

  @AfterEach
  void close() {
    if (channel != null) {
      channel.finishAndReleaseAll();
    }
  }

  @Test
  void itEndsIfAllCallsTimedOutBeforeItStood() {
    ClientCall<GetResponse> first = sent();
    ClientCall<GetResponse> second = sent();
    timeOut(first);
    timeOut(second);
    connect();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void itStaysForACallThatStillWaits() {
    ClientCall<GetResponse> impatient = sent();
    ClientCall<GetResponse> patient = sent();
    timeOut(impatient);
    connect();
    assertThat(channel.isOpen()).isTrue();
    assertThat(writes()).as("the preamble with its header, and the call").isEqualTo(2);
    assertThat(patient.reply()).isNotDone();
    timeOut(patient);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void itTakesNoCallsOnceItIsRetired() {
    ClientCall<GetResponse> patient = sent();
    connection.retire();
    assertThat(connection.send(call())).isFalse();
    connect();
    assertThat(connection.send(call())).isFalse();
    assertThat(patient.reply()).isNotDone();
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void callsOfBeforeItStandsAreSentInTheirOrder() {
    sent();
    sent();
    connect();
    sent();
    assertThat(writes()).isEqualTo(4);
    connection.retire();
    assertThat(channel.isOpen()).isTrue();
  }

  private static ClientCall<GetResponse> call() {
    return new ClientCall<>(
        "Get", RpcFixture.get("a"), null, GetResponse.getDefaultInstance(), Duration.ofMinutes(1));
  }

  private ClientCall<GetResponse> sent() {
    ClientCall<GetResponse> call = call();
    assertThat(connection.send(call)).isTrue();
    return call;
  }

  /** Ends a call as {@link RpcClient} does when its time is over. */
  private void timeOut(ClientCall<GetResponse> call) {
    call.fail(new CallTimeoutException("test"));
    connection.retire();
  }

  private void connect() {
    channel = new EmbeddedChannel(connection);
  }

  private int writes() {
    int count = 0;
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      out.release();
      count++;
    }
    return count;
  }
}
