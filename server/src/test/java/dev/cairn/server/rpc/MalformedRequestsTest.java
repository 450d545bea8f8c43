package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.FATAL;
import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.assertServes;
import static dev.cairn.server.rpc.RpcFixture.echo;
import static dev.cairn.server.rpc.RpcFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.VersionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that are none, or longer than they may be, harm nobody else. */
@Timeout(60)
class MalformedRequestsTest {
  @Test
  void refusesUnknownMethodsByName() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(3, "Frobnicate"), get("abc"));
      RawConnection.Response response = client.read();
      assertThat(response.header().getCallId()).isEqualTo(3);
      assertThat(response.header().getException().getStackTrace())
          .contains("The service ClientService has no method Frobnicate");
      client.send(call(4, "Mutate"), get("abc"));
      assertThat(client.read().header().getException().getStackTrace())
          .contains("The RPC ClientService.Mutate is not served on this port");
      client.send(call(5, "Get"), get("abc"));
      assertThat(client.read().header().hasException()).isFalse();
    }
  }

  @Test
  void refusesAMessageThatIsNone() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      ByteArrayOutputStream garbage = new ByteArrayOutputStream();
      call(1, "Get").build().writeDelimitedTo(garbage);
      garbage.write(new byte[] {4, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF});
      client.sendFrame(garbage.toByteArray());
      assertThat(client.read().header().getException().getStackTrace())
          .contains("cannot be parsed");

      ByteArrayOutputStream lacking = new ByteArrayOutputStream();
      call(2, "Get").build().writeDelimitedTo(lacking);
      lacking.write(0); // a GetRequest without its required fields
      client.sendFrame(lacking.toByteArray());
      assertThat(client.read().header().getException().getDoNotRetry()).isTrue();

      ByteArrayOutputStream cut = new ByteArrayOutputStream();
      call(3, "Get").build().writeDelimitedTo(cut);
      cut.write(100); // announces more than there is
      client.sendFrame(cut.toByteArray());
      assertThat(client.read().header().getException().getStackTrace()).contains("do not fit");

      client.send(call(4, "Get").setRequestParam(false), get("abc"));
      assertThat(client.read().header().getException().getStackTrace())
          .contains("should have param set in it");

      client.send(call(5, "Get"), get("abc"));
      assertThat(client.read().header().hasException()).isFalse();
    }
  }

  @Test
  void refusesRequestsThatAreTooLongWithoutReadingThem() throws IOException {
    try (RpcFixture fixture = echo()) {
      ByteArrayOutputStream start = new ByteArrayOutputStream();
      call(42, "Get").build().writeDelimitedTo(start);
      try (RawConnection client = new RawConnection(fixture.address()).preamble("HBas", 0, 80)) {
        client.header(
            ConnectionHeader.newBuilder()
                .setServiceName("ClientService")
                .setVersionInfo(
                    VersionInfo.newBuilder()
                        .setVersion("2.6.4")
                        .setUrl("")
                        .setRevision("")
                        .setUser("")
                        .setDate("")
                        .setSrcChecksum("")
                        .setVersionMajor(2)
                        .setVersionMinor(6))
                .build());
        client.out.writeInt((256 << 20) + 1);
        client.out.write(start.toByteArray());
        client.out.write(new byte[100_000]);
        RawConnection.Response response = client.read();
        assertThat(response.header().getCallId()).isEqualTo(42);
        assertThat(response.header().getException().getExceptionClassName())
            .isEqualTo("org.apache.hadoop.hbase.exceptions.RequestTooBigException");
        assertThat(client.ended()).isTrue();
      }
      try (RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
        client.out.writeInt((256 << 20) + 1);
        client.out.write(start.toByteArray());
        RawConnection.Response response = client.read();
        assertThat(response.header().getCallId()).isEqualTo(42);
        assertThat(response.header().getException().getExceptionClassName())
            .isEqualTo("org.apache.hadoop.hbase.DoNotRetryIOException");
      }
      try (RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
        client.out.writeInt(-5);
        client.out.write(new byte[] {-1, -1, -1, -1, -1, -1});
        client.assertFatal(FATAL, "is greater than max allowed");
      }
      assertServes(fixture);
    }
  }

  @Test
  void anEndedOrGarbledConnectionHarmsNoOther() throws IOException {
    try (RpcFixture fixture = echo()) {
      try (RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
        client.out.writeInt(100_000);
        client.out.write(new byte[10]); // and then it goes away
      }
      try (RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
        client.sendFrame(new byte[] {-1, -1, -1, -1, -1, -1, -1});
        client.assertFatal(FATAL, "request header");
      }
      try (RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
        client.sendFrame(new byte[] {3, -1, -1, -1});
        client.assertFatal(FATAL, "request header cannot be parsed");
      }
      try (RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
        client.sendFrame(Bytes.EMPTY);
        client.assertFatal(FATAL, "request header");
      }
      assertServes(fixture);
    }
  }

  @Test
  void allocatesNothingForBytesThatAreOnlyAnnounced() throws Exception {
    try (RpcFixture fixture = echo()) {
      List<RawConnection> clients = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "");
        clients.add(client);
        client.send(call(1, "Get"), get("abc"));
        client.read();
        client.out.writeInt(200 << 20);
        client.out.write(new byte[1000]);
      }
      assertServes(fixture); // on the one network thread, behind all of these
      assertThat(fixture.loops.allocator().metric().usedDirectMemory()).isLessThan(8 << 20);
      for (RawConnection client : clients) {
        client.close();
      }
    }
  }
}
