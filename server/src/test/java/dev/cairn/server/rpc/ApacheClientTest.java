package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.exceptions.RequestTooBigException;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.ipc.UnsupportedCellCodecException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.BlockingRpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Apache's own RPC client against this server. */
@Timeout(60)
class ApacheClientTest {
  private interface Use {
    void with(ClientService.BlockingInterface stub) throws Exception;
  }

  private static void call(Configuration conf, RpcFixture fixture, Use use) throws Exception {
    ServerName server = ServerName.valueOf("localhost", fixture.address().getPort(), 1);
    try (RpcClient client = RpcClientFactory.createClient(conf, "the-id")) {
      BlockingRpcChannel channel =
          client.createBlockingRpcChannel(server, User.getCurrent(), 20_000);
      use.with(ClientService.newBlockingStub(channel));
    }
  }

  private static Configuration conf(String clientClass) {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.rpc.client.impl", "org.apache.hadoop.hbase.ipc." + clientClass);
    return conf;
  }

  @ParameterizedTest
  @ValueSource(strings = {"NettyRpcClient", "BlockingRpcClient"})
  void callsAndCarriesCells(String clientClass) throws Exception {
    try (RpcFixture fixture = new RpcFixture((call, request) -> found(true))) {
      call(
          conf(clientClass),
          fixture,
          stub -> {
            assertThat(stub.get(null, get("abc"))).isEqualTo(found(true));
            KeyValue cell =
                new KeyValue(
                    Bytes.toBytes("r"),
                    Bytes.toBytes("f"),
                    Bytes.toBytes("q"),
                    5,
                    Bytes.toBytes("v"));
            HBaseRpcController controller =
                new HBaseRpcControllerImpl(CellUtil.createCellScanner(List.<Cell>of(cell, cell)));
            ScanResponse response = stub.scan(controller, ScanRequest.getDefaultInstance());
            assertThat(response.getCellsPerResult(0)).isEqualTo(2);
            for (int i = 0; i < 2; i++) {
              assertThat(controller.cellScanner().advance()).isTrue();
              assertThat(CellUtil.equals(controller.cellScanner().current(), cell)).isTrue();
            }
            assertThat(controller.cellScanner().advance()).isFalse();
          });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NettyRpcClient", "BlockingRpcClient"})
  void understandsTheErrors(String clientClass) throws Exception {
    try (RpcFixture fixture =
        new RpcFixture(
            (call, request) -> {
              throw new DoNotRetryIOException("never again");
            })) {
      Configuration conf = conf(clientClass);
      call(
          conf,
          fixture,
          stub -> {
            assertError(stub, DoNotRetryIOException.class, "never again");
            assertThatThrownBy(() -> stub.mutate(null, null)).isInstanceOf(Exception.class);
          });
      conf.set("hbase.client.rpc.codec", "org.apache.hadoop.hbase.codec.CellCodec");
      call(
          conf,
          fixture,
          stub ->
              assertError(stub, UnsupportedCellCodecException.class, "CellCodec is not supported"));
    }
  }

  private static void assertError(
      ClientService.BlockingInterface stub, Class<? extends IOException> type, String text) {
    assertThatThrownBy(
            () -> {
              try {
                stub.get(null, get("abc"));
              } catch (ServiceException e) {
                throw ProtobufUtil.handleRemoteException(e);
              }
            })
        .isInstanceOf(type)
        .hasMessageContaining(text);
  }

  @Test
  void refusesARequestThatIsTooLong() throws Exception {
    RpcServerOptions defaults = RpcFixture.options();
    RpcServerOptions small =
        new RpcServerOptions(
            "localhost",
            0,
            100_000,
            QueueShares.undivided(1, 1),
            1,
            List.of(),
            1,
            QueueLengths.byHandlers(),
            1 << 20,
            20,
            true,
            true,
            128,
            60_000);
    assertThat(defaults.maxRequestBytes()).isEqualTo(256 << 20);
    try (RpcFixture fixture =
        new RpcFixture(small, List.of(RpcFixture.client((call, request) -> found(true))))) {
      call(
          conf("NettyRpcClient"),
          fixture,
          stub ->
              assertThatThrownBy(
                      () -> {
                        try {
                          stub.get(null, get("x".repeat(5_000_000)));
                        } catch (ServiceException e) {
                          throw ProtobufUtil.handleRemoteException(e);
                        }
                      })
                  .isInstanceOf(RequestTooBigException.class));
    }
  }
}
