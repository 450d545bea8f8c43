package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcService;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the answers to calls of unregistered methods, and their cost for other calls. */
@Timeout(60)
class UnknownMethodsTest {
  @Test
  void areRefusedWhateverTheirMessageIs() throws Exception {
    try (RpcFixture fixture = new RpcFixture((call, request) -> found(true));
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      byte[] header = call(1, "Mutate").setRequestParam(false).build().toByteArray();
      client.out.writeInt(1 + header.length + 2);
      client.out.writeByte(header.length);
      client.out.write(header);
      client.out.write(Bytes.utf8("?!"));
      client.out.flush();
      assertThat(client.read().header().getException().getStackTrace())
          .contains("The RPC ClientService.Mutate is not served on this port");
    }
  }

  @Test
  void areAnsweredAloneIfMethodsCannotBeRegistered() throws Exception {
    RpcService broken =
        RpcService.builder(MethodTables.CLIENT, List.of())
            .on(
                "Get",
                GetRequest.getDefaultInstance(),
                CallSubject::cluster,
                (call, request) -> found(true))
            .later(
                methods -> {
                  throw new NoClassDefFoundError("MutateRequest");
                })
            .build();
    assertFailsAlone(broken, "NoClassDefFoundError: MutateRequest");
  }

  /** Calls a method that cannot be found, which is told, and then one that is there. */
  private static void assertFailsAlone(RpcService broken, String told) throws Exception {
    try (RpcFixture fixture =
            new RpcFixture(RpcFixture.options(), List.of(broken, RpcFixture.meta()));
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(3, "Mutate"), get("abc"));
      RawConnection.Response refused = client.read();
      assertThat(refused.header().getCallId()).isEqualTo(3);
      assertThat(refused.header().getException().getStackTrace()).contains(told);
      client.send(call(4, "Get"), get("abc"));
      assertThat(client.read().header().getCallId()).isEqualTo(4);
    }
  }

  @Test
  void areRefusedByTheNameOfTheFeature() {
    RpcService master = RpcService.builder(MethodTables.MASTER, List.of()).build();
    assertThat(master.unknown("AddReplicationPeer"))
        .hasMessage(
            "Replication is not supported yet (shell: add_peer; RPC"
                + " MasterService.AddReplicationPeer)");
    RpcService admin = RpcService.builder(MethodTables.ADMIN, List.of()).build();
    assertThat(admin.unknown("ReplicateWALEntry"))
        .hasMessage("Replication is not supported yet (RPC AdminService.ReplicateWALEntry)");
    assertThat(admin.unknown("Frobnicate"))
        .hasMessage("The service AdminService has no method Frobnicate");
  }
}
