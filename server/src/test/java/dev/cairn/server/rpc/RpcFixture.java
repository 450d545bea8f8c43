package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.slowlog.SlowLog;
import io.netty.buffer.PoolArenaMetric;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** A server with an echo behind HBase's own messages, and what closes with it. */
final class RpcFixture implements AutoCloseable {
  static final ThreadFactory DAEMONS =
      task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
      };

  final RpcEventLoops loops = new RpcEventLoops(1, DAEMONS);
  final RpcServer server;

  RpcFixture(RpcServerOptions options, List<RpcService> services) throws IOException {
    this(options, services, Clock.SYSTEM);
  }

  RpcFixture(RpcServerOptions options, List<RpcService> services, Clock clock) throws IOException {
    this(options, services, clock, MemoryAccount.unlimited());
  }

  RpcFixture(RpcServerOptions options, List<RpcService> services, Clock clock, MemoryAccount memory)
      throws IOException {
    this(options, services, clock, memory, SlowLog.off());
  }

  RpcFixture(
      RpcServerOptions options,
      List<RpcService> services,
      Clock clock,
      MemoryAccount memory,
      SlowLog slowLog)
      throws IOException {
    server = RpcServer.bind(options, loops, DAEMONS, clock, memory, slowLog);
    server.start(services);
  }

  RpcFixture(RpcMethod.BlockingHandler<GetRequest, GetResponse> get) throws IOException {
    this(options(), List.of(client(get), meta()));
  }

  static RpcServerOptions options() {
    return RpcServerOptions.defaults("localhost", 0);
  }

  static RpcServerOptions options(int handlers, int queueLength) {
    RpcServerOptions defaults = options();
    return new RpcServerOptions(
        defaults.bindHost(),
        0,
        defaults.maxRequestBytes(),
        QueueShares.undivided(handlers, 1),
        1,
        List.of(),
        1,
        new QueueLengths(queueLength, 0, 0),
        defaults.maxQueueBytes(),
        20,
        true,
        true,
        128,
        60_000);
  }

  /** Returns a request for a row, as {@link #client} understands it. */
  static GetRequest get(String row) {
    return GetRequest.newBuilder()
        .setRegion(
            RegionSpecifier.newBuilder()
                .setType(RegionSpecifierType.REGION_NAME)
                .setValue(ByteString.copyFromUtf8("region")))
        .setGet(Get.newBuilder().setRow(ByteString.copyFromUtf8(row)))
        .build();
  }

  static GetResponse found(boolean exists) {
    return GetResponse.newBuilder().setResult(Result.newBuilder().setExists(exists)).build();
  }

  /** Finds any row, once a gate is open. */
  static RpcMethod.BlockingHandler<GetRequest, GetResponse> foundBehind(Gate gate) {
    return (call, request) -> {
      gate.pass();
      return found(true);
    };
  }

  /** Returns a server that finds rows of three bytes. */
  static RpcFixture echo() throws IOException {
    return new RpcFixture((call, request) -> found(request.getGet().getRow().size() == 3));
  }

  /** Fails unless the server answers a connection of its own. */
  static void assertServes(RpcFixture fixture) throws IOException {
    try (RawConnection other = RawConnection.open(fixture.address(), "ClientService", "")) {
      other.send(call(7, "Get"), get("abc"));
      assertThat(GetResponse.parseFrom(other.read().message())).isEqualTo(found(true));
    }
  }

  InetSocketAddress address() {
    return server.address();
  }

  /** Get answers as {@code get} does; Scan sends the cells back that came with the request. */
  static RpcService client(RpcMethod.BlockingHandler<GetRequest, GetResponse> get) {
    return RpcService.builder(MethodTables.CLIENT, List.of())
        .on("Get", GetRequest.getDefaultInstance(), CallSubject::cluster, get)
        .on(
            "Scan",
            ScanRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> {
              CellBuffer cells = call.requestCells();
              if (call.acceptsCellBlock()) {
                call.setResponseCells(cells);
              }
              return ScanResponse.newBuilder().addCellsPerResult(cells.size()).build();
            })
        .build();
  }

  static RpcService meta() {
    return RpcService.builder(MethodTables.CLIENT_META, List.of())
        .on(
            "GetClusterId",
            GetClusterIdRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> GetClusterIdResponse.newBuilder().setClusterId("the-id").build())
        .build();
  }

  /** Returns how many network buffers are in use. */
  long buffers() {
    return loops.allocator().metric().directArenas().stream()
        .mapToLong(PoolArenaMetric::numActiveAllocations)
        .sum();
  }

  /** Closes everything; all network buffers have to be back by then. */
  @Override
  public void close() {
    server.close();
    loops.close();
    // A thread that gets no processor for long gives its buffers back behind the close.
    assertThat(Waiting.reaches(() -> buffers() == 0))
        .as("network buffers that nobody gave back: %d", buffers())
        .isTrue();
  }
}
