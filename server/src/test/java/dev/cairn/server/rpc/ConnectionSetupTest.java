package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.FATAL;
import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.assertServes;
import static dev.cairn.server.rpc.RpcFixture.echo;
import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetConnectionRegistryResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the beginning of a connection: preambles, headers, and requests beyond the limits. */
@Timeout(60)
class ConnectionSetupTest {
  @Test
  void refusesWhatDoesNotBeginAsHBase() throws IOException {
    try (RpcFixture fixture = echo()) {
      try (RawConnection client = new RawConnection(fixture.address())) {
        client.out.write(Bytes.utf8("GET / HTTP/1.1\r\n\r\n"));
        client.assertFatal(FATAL, "Expected HEADER=HBas but received HEADER=GET ");
      }
      try (RawConnection client = new RawConnection(fixture.address())) {
        client.preamble("HBas", 7, 80);
        client.assertFatal("org.apache.hadoop.hbase.ipc.WrongVersionException", "clientVersion=7");
      }
      try (RawConnection client = new RawConnection(fixture.address())) {
        client.preamble("HBas", 0, 17);
        client.assertFatal("org.apache.hadoop.hbase.ipc.BadAuthException", "authMethod=17");
      }
      assertServes(fixture);
    }
  }

  @Test
  void refusesHeadersThatAskForWhatIsNotThere() throws IOException {
    try (RpcFixture fixture = echo()) {
      try (RawConnection client = RawConnection.open(fixture.address(), "NoService", "")) {
        client.assertFatal(
            "org.apache.hadoop.hbase.ipc.UnknownServiceException",
            "There is no service NoService on this port");
      }
      try (RawConnection client = RawConnection.open(fixture.address(), "", "")) {
        client.assertFatal(FATAL, "names no service");
      }
      try (RawConnection client =
          RawConnection.open(fixture.address(), "ClientService", "com.example.Codec")) {
        client.assertFatal(
            "org.apache.hadoop.hbase.ipc.UnsupportedCellCodecException",
            "com.example.Codec is not supported");
      }
      try (RawConnection client = new RawConnection(fixture.address()).preamble("HBas", 0, 80)) {
        client.header(
            ConnectionHeader.newBuilder()
                .setServiceName("ClientService")
                .setCellBlockCompressorClass("org.apache.hadoop.io.compress.Lz4Codec")
                .build());
        client.assertFatal(
            "org.apache.hadoop.hbase.ipc.UnsupportedCompressionCodecException", "Lz4Codec");
      }
      try (RawConnection client = new RawConnection(fixture.address()).preamble("HBas", 0, 80)) {
        client.sendFrame(Bytes.utf8("garbage, not protobuf"));
        client.assertFatal(FATAL, "The connection header cannot be parsed");
      }
      try (RawConnection client = new RawConnection(fixture.address()).preamble("HBas", 0, 80)) {
        client.out.writeInt(1 << 30);
        client.assertFatal(FATAL, "A frame of 1073741824 bytes");
      }
      assertServes(fixture);
    }
  }

  @Test
  void tellsTheClusterIdToTheRegistryPreamble() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client = new RawConnection(fixture.address())) {
      client.out.write(Bytes.utf8("Regist"));
      RawConnection.Response response = client.read();
      assertThat(response.header().getCallId()).isEqualTo(-1);
      assertThat(GetConnectionRegistryResponse.parseFrom(response.message()).getClusterId())
          .isEqualTo("the-id");
      assertThat(client.ended()).isTrue();
    }
  }

  @Test
  void tellsTheSecurityPreambleThatThereIsNoneAndGoesOn() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client = new RawConnection(fixture.address())) {
      client.out.write(Bytes.utf8("Securi"));
      assertThat(client.read().header().getException().getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.ipc.SecurityNotEnabledException");
      client.preamble("HBas", 0, 80).header("ClientMetaService", "");
      client.send(call(1, "GetClusterId"), GetClusterIdRequest.getDefaultInstance());
      assertThat(GetClusterIdResponse.parseFrom(client.read().message()).getClusterId())
          .isEqualTo("the-id");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {81, 82})
  void tellsSecureClientsToGoOnWithoutAuthentication(int auth) throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client = new RawConnection(fixture.address()).preamble("HBas", 0, auth)) {
      client.sendFrame(new byte[] {1, 2, 3}); // the first token
      assertThat(client.in.readInt()).isZero();
      assertThat(client.in.readInt()).isEqualTo(-88);
      client.header("ClientService", "");
      client.send(call(1, "Get"), get("abc"));
      assertThat(GetResponse.parseFrom(client.read().message())).isEqualTo(found(true));
    }
  }
}
