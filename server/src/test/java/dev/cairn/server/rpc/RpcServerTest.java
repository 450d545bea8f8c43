package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.time.Clock;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.VersionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetConnectionRegistryResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RpcServerTest {
  private static final String FATAL = "org.apache.hadoop.hbase.ipc.FatalConnectionException";

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

  private static RpcFixture echo() throws IOException {
    return new RpcFixture((call, request) -> found(request.getGet().getRow().size() == 3));
  }

  private static void assertServes(RpcFixture fixture) throws IOException {
    try (RawConnection other = RawConnection.open(fixture.address(), "ClientService", "")) {
      other.send(call(7, "Get"), get("abc"));
      assertThat(GetResponse.parseFrom(other.read().message())).isEqualTo(found(true));
    }
  }

  @Test
  void answersCallsUnderTheirIds() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(0, "Get"), get("abc"));
      client.send(call(5, "Get"), get("ab"));
      Map<Integer, GetResponse> answers = new TreeMap<>();
      for (int i = 0; i < 2; i++) {
        RawConnection.Response response = client.read();
        answers.put(response.header().getCallId(), GetResponse.parseFrom(response.message()));
      }
      assertThat(answers).containsExactly(Map.entry(0, found(true)), Map.entry(5, found(false)));
    }
  }

  @Test
  void readsRequestsThatComeByteByByte() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client = new RawConnection(fixture.address())) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream data = new DataOutputStream(bytes);
      data.write(Bytes.utf8("HBas\0P"));
      byte[] header =
          ConnectionHeader.newBuilder().setServiceName("ClientService").build().toByteArray();
      data.writeInt(header.length);
      data.write(header);
      ByteArrayOutputStream frame = new ByteArrayOutputStream();
      call(1, "Get").build().writeDelimitedTo(frame);
      get("abc").writeDelimitedTo(frame);
      data.writeInt(frame.size());
      data.write(frame.toByteArray());
      for (byte next : bytes.toByteArray()) {
        client.out.write(next);
        client.out.flush();
      }
      assertThat(GetResponse.parseFrom(client.read().message())).isEqualTo(found(true));
    }
  }

  @Test
  void readsRequestsOfSeveralMegabytes() throws IOException {
    try (RpcFixture fixture =
            new RpcFixture((call, request) -> found(request.getGet().getRow().size() == 9 << 20));
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(1, "Get"), get("x".repeat(9 << 20)));
      assertThat(GetResponse.parseFrom(client.read().message())).isEqualTo(found(true));
      client.send(call(2, "Get"), get("x"));
      assertThat(GetResponse.parseFrom(client.read().message())).isEqualTo(found(false));
    }
  }

  @Test
  void tellsHandlersWhoCallsAndHowLongTheyWait() throws IOException {
    long before = System.nanoTime();
    List<String> users = new ArrayList<>();
    List<Long> waits = new ArrayList<>();
    try (RpcFixture fixture =
            new RpcFixture(
                (call, request) -> {
                  users.add(
                      call.user()
                          + " from "
                          + call.remoteAddress().getAddress().isLoopbackAddress());
                  waits.add(call.deadlineNanos());
                  return found(true);
                });
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(1, "Get").setTimeout(60_000), get("a"));
      client.read();
      client.send(call(2, "Get"), get("a"));
      client.read();
    }
    assertThat(users).containsOnly("alice from true");
    assertThat(waits.get(0) - before).isGreaterThan(TimeUnit.SECONDS.toNanos(60));
    assertThat(waits.get(1)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void servesManyConnectionsAtOnce() throws Exception {
    try (RpcFixture fixture = echo()) {
      AtomicInteger right = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        Thread thread =
            new Thread(
                () -> {
                  try (RawConnection client =
                      RawConnection.open(fixture.address(), "ClientService", "")) {
                    for (int i = 0; i < 500; i++) {
                      client.send(call(i, "Get"), get(i % 2 == 0 ? "abc" : "ab"));
                      RawConnection.Response response = client.read();
                      if (response.header().getCallId() == i
                          && GetResponse.parseFrom(response.message()).equals(found(i % 2 == 0))) {
                        right.incrementAndGet();
                      }
                    }
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(right).hasValue(4000);
      assertThat(fixture.server.snapshot().requests()).isEqualTo(4000);
      assertThat(fixture.server.snapshot().exceptions()).isZero();
    }
  }

  private static byte[] block(List<Cell> cells, boolean withTags) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(bytes);
    for (Cell cell : cells) {
      byte[] laid = new byte[cell.serializedLength(withTags)];
      cell.writeTo(laid, 0, withTags);
      data.writeInt(laid.length);
      data.write(laid);
    }
    return bytes.toByteArray();
  }

  private static List<Cell> cells() {
    return List.of(
        Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.utf8("q"), 1, Bytes.utf8("value")),
        Cell.of(
            Bytes.utf8("r2"),
            Bytes.utf8("f"),
            Bytes.EMPTY,
            2,
            CellType.PUT.code(),
            Bytes.EMPTY,
            new byte[] {0, 2, 1, 9},
            0));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void carriesCellsBesideMessages(boolean withTags) throws IOException {
    String codec = withTags ? RawConnection.WITH_TAGS : RawConnection.KEY_VALUE;
    byte[] block = block(cells(), withTags);
    try (RpcFixture fixture = echo();
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", codec)) {
      client.send(call(1, "Scan"), ScanRequest.getDefaultInstance(), block);
      RawConnection.Response response = client.read();
      assertThat(ScanResponse.parseFrom(response.message()).getCellsPerResult(0)).isEqualTo(2);
      assertThat(response.header().getCellBlockMeta().getLength()).isEqualTo(block.length);
      assertThat(response.cells()).isEqualTo(block);
    }
  }

  @Test
  void dropsTagsForAClientThatReadsNone() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client =
            RawConnection.open(fixture.address(), "ClientService", RawConnection.KEY_VALUE)) {
      client.send(call(1, "Scan"), ScanRequest.getDefaultInstance(), block(cells(), true));
      assertThat(client.read().cells()).isEqualTo(block(cells(), false));
    }
  }

  @Test
  void refusesMalformedCellsAndGoesOn() throws IOException {
    byte[] block = block(cells(), true);
    try (RpcFixture fixture = echo();
        RawConnection client =
            RawConnection.open(fixture.address(), "ClientService", RawConnection.WITH_TAGS)) {
      for (int at : new int[] {0, 4, 8, 12}) {
        byte[] spoiled = block.clone();
        spoiled[at] = 0x7F;
        client.send(call(at, "Scan"), ScanRequest.getDefaultInstance(), spoiled);
        ExceptionResponse error = client.read().header().getException();
        assertThat(error.getExceptionClassName())
            .isEqualTo("org.apache.hadoop.hbase.DoNotRetryIOException");
        assertThat(error.getDoNotRetry()).isTrue();
      }
      client.send(call(99, "Scan"), ScanRequest.getDefaultInstance(), block);
      assertThat(client.read().cells()).isEqualTo(block);
    }
  }

  @Test
  void refusesCellsOnAConnectionWithoutCodec() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(1, "Scan"), ScanRequest.getDefaultInstance(), block(cells(), false));
      assertThat(client.read().header().getException().getStackTrace()).contains("codec");
    }
  }

  @Test
  void refusesACellBlockLongerThanTheFrame() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client =
            RawConnection.open(fixture.address(), "ClientService", RawConnection.KEY_VALUE)) {
      for (int length : new int[] {1 << 30, -1}) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        RPCProtos.RequestHeader.Builder header = call(1, "Scan");
        header.getCellBlockMetaBuilder().setLength(length);
        header.build().writeDelimitedTo(frame);
        ScanRequest.getDefaultInstance().writeDelimitedTo(frame);
        client.sendFrame(frame.toByteArray());
        assertThat(client.read().header().getException().getStackTrace())
            .contains("cell block")
            .contains("does not fit");
      }
    }
  }

  @Test
  void sendsExceptionsUnderTheirClassNames() throws IOException {
    try (RpcFixture fixture =
            new RpcFixture(
                (call, request) -> {
                  switch (request.getGet().getRow().toStringUtf8()) {
                    case "gone" -> throw new NotServingRegionException("not here");
                    case "moved" ->
                        throw new RegionMovedException(ServerName.valueOf("there", 16020, 1), 5);
                    case "bug" -> throw new IllegalStateException("a bug");
                    default -> {
                      return recurse(call, request);
                    }
                  }
                });
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(1, "Get"), get("gone"));
      ExceptionResponse gone = client.read().header().getException();
      assertThat(gone.getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.NotServingRegionException");
      assertThat(gone.getStackTrace())
          .startsWith("org.apache.hadoop.hbase.NotServingRegionException: not here\n\tat ");
      assertThat(gone.getDoNotRetry()).isFalse();

      client.send(call(2, "Get"), get("moved"));
      ExceptionResponse moved = client.read().header().getException();
      assertThat(moved.getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.exceptions.RegionMovedException");
      assertThat(moved.getHostname()).isEqualTo("there");
      assertThat(moved.getPort()).isEqualTo(16020);

      client.send(call(3, "Get"), get("bug"));
      ExceptionResponse bug = client.read().header().getException();
      assertThat(bug.getExceptionClassName()).isEqualTo("java.io.IOException");
      assertThat(bug.getStackTrace()).contains("a bug");

      client.send(call(4, "Get"), get("deep"));
      ExceptionResponse deep = client.read().header().getException();
      assertThat(deep.getDoNotRetry()).isTrue();
      assertThat(fixture.server.snapshot().exceptions()).isEqualTo(4);
      assertThat(fixture.server.snapshot().openConnections()).isEqualTo(1);
    }
  }

  private static GetResponse recurse(RpcCall call, GetRequest request) {
    return recurse(call, request).toBuilder().build();
  }

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
          .contains("Cairn does not support ClientService.Mutate yet");
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

  private static void assertFatal(RawConnection client, String className, String text)
      throws IOException {
    ExceptionResponse error = client.read().header().getException();
    assertThat(error.getExceptionClassName()).isEqualTo(className);
    assertThat(error.getStackTrace()).contains(text);
    assertThat(error.getDoNotRetry()).isTrue();
    assertThat(client.ended()).isTrue();
  }

  @Test
  void refusesWhatDoesNotBeginAsHBase() throws IOException {
    try (RpcFixture fixture = echo()) {
      try (RawConnection client = new RawConnection(fixture.address())) {
        client.out.write(Bytes.utf8("GET / HTTP/1.1\r\n\r\n"));
        assertFatal(client, FATAL, "Expected HEADER=HBas but received HEADER=GET ");
      }
      try (RawConnection client = new RawConnection(fixture.address())) {
        client.preamble("HBas", 7, 80);
        assertFatal(client, "org.apache.hadoop.hbase.ipc.WrongVersionException", "clientVersion=7");
      }
      try (RawConnection client = new RawConnection(fixture.address())) {
        client.preamble("HBas", 0, 17);
        assertFatal(client, "org.apache.hadoop.hbase.ipc.BadAuthException", "authMethod=17");
      }
      assertServes(fixture);
    }
  }

  @Test
  void refusesHeadersThatAskForWhatIsNotThere() throws IOException {
    try (RpcFixture fixture = echo()) {
      try (RawConnection client = RawConnection.open(fixture.address(), "NoService", "")) {
        assertFatal(client, FATAL, "There is no service NoService on this port");
      }
      try (RawConnection client = RawConnection.open(fixture.address(), "", "")) {
        assertFatal(client, FATAL, "names no service");
      }
      try (RawConnection client =
          RawConnection.open(fixture.address(), "ClientService", "com.example.Codec")) {
        assertFatal(
            client,
            "org.apache.hadoop.hbase.ipc.UnsupportedCellCodecException",
            "com.example.Codec is not supported");
      }
      try (RawConnection client = new RawConnection(fixture.address()).preamble("HBas", 0, 80)) {
        client.header(
            ConnectionHeader.newBuilder()
                .setServiceName("ClientService")
                .setCellBlockCompressorClass("org.apache.hadoop.io.compress.Lz4Codec")
                .build());
        assertFatal(
            client, "org.apache.hadoop.hbase.ipc.UnsupportedCompressionCodecException", "Lz4Codec");
      }
      try (RawConnection client = new RawConnection(fixture.address()).preamble("HBas", 0, 80)) {
        client.sendFrame(Bytes.utf8("garbage, not protobuf"));
        assertFatal(client, FATAL, "The connection header cannot be parsed");
      }
      try (RawConnection client = new RawConnection(fixture.address()).preamble("HBas", 0, 80)) {
        client.out.writeInt(1 << 30);
        assertFatal(client, FATAL, "A frame of 1073741824 bytes");
      }
      assertServes(fixture);
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
        assertFatal(client, FATAL, "is greater than max allowed");
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
        assertFatal(client, FATAL, "request header");
      }
      try (RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
        client.sendFrame(new byte[] {3, -1, -1, -1});
        assertFatal(client, FATAL, "request header cannot be parsed");
      }
      try (RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
        client.sendFrame(Bytes.EMPTY);
        assertFatal(client, FATAL, "request header");
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

  @Test
  void refusesCallsThatTheQueueHasNoRoomForAndServesOthers() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    RpcService blocking =
        RpcFixture.client(
            (call, request) -> {
              started.countDown();
              await(release);
              return found(true);
            });
    try (RpcFixture fixture =
            new RpcFixture(RpcFixture.options(1, 2), List.of(blocking, RpcFixture.meta()));
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(1, "Get"), get("a"));
      await(started);
      client.send(call(2, "Get"), get("a"));
      client.send(call(3, "Get"), get("a"));
      client.send(call(4, "Get"), get("a"));
      RawConnection.Response refused = client.read();
      assertThat(refused.header().getCallId()).isEqualTo(4);
      assertThat(refused.header().getException().getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.CallQueueTooBigException");
      assertThat(refused.header().getException().getDoNotRetry()).isFalse();
      assertThat(fixture.server.snapshot().callsInGeneralQueue()).isEqualTo(2);
      assertThat(fixture.server.snapshot().activeHandlers()).isEqualTo(1);
      assertThat(fixture.server.snapshot().rejected()).isEqualTo(1);
      try (RawConnection meta = RawConnection.open(fixture.address(), "ClientMetaService", "")) {
        meta.send(call(1, "GetClusterId"), GetClusterIdRequest.getDefaultInstance());
        assertThat(meta.read().header().hasException()).isFalse();
      }
      // A call for a system table does not wait behind the others: but for the one handler's latch
      // it would be answered, so it reaches a handler of its own.
      client.send(call(5, "Get").setPriority(200), get("meta"));
      release.countDown();
      List<Integer> answered = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        answered.add(client.read().header().getCallId());
      }
      assertThat(answered).containsExactlyInAnyOrder(1, 2, 3, 5);
    }
  }

  @Test
  void dropsCallsWhoseTimeIsOver() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    RpcService blocking =
        RpcFixture.client(
            (call, request) -> {
              started.countDown();
              await(release);
              return found(true);
            });
    RpcEventLoops loops = new RpcEventLoops(1, RpcFixture.DAEMONS);
    ManualClock clock = new ManualClock();
    try (RpcServer server =
        RpcServer.bind(RpcFixture.options(1, 10), loops, RpcFixture.DAEMONS, clock)) {
      server.start(List.of(blocking));
      try (RawConnection client = RawConnection.open(server.address(), "ClientService", "")) {
        client.send(call(1, "Get"), get("a"));
        await(started);
        client.send(call(2, "Get").setTimeout(5_000), get("a"));
        client.send(call(3, "Get").setTimeout(15_000), get("a"));
        waitUntil(() -> server.snapshot().callsInGeneralQueue() == 2);
        clock.advanceMillis(10_000);
        release.countDown();
        assertThat(client.read().header().getCallId()).isEqualTo(1);
        assertThat(client.read().header().getCallId()).isEqualTo(3);
        assertThat(server.snapshot().expired()).isEqualTo(1);
      }
    } finally {
      loops.close();
    }
  }

  @Test
  void aClientThatReadsNoResponsesGetsToSendNoMoreRequests() throws Exception {
    byte[] value = new byte[1 << 20];
    Cell cell = Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.EMPTY, 1, value);
    byte[] block = block(List.of(cell), false);
    try (RpcFixture fixture = echo();
        RawConnection client =
            RawConnection.open(fixture.address(), "ClientService", RawConnection.KEY_VALUE)) {
      int calls = 64;
      Thread writer =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < calls; i++) {
                    // The handlers keep up, so it is the responses that the server has to hold.
                    long answered = (long) i * block.length;
                    waitUntil(() -> fixture.server.snapshot().bytesSent() >= answered);
                    client.send(call(i, "Scan"), ScanRequest.getDefaultInstance(), block);
                  }
                } catch (IOException | InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      writer.start();
      // The writer comes to stand still: what the server took in stays well below all of it.
      long last = -1;
      for (int still = 0; still < 5 || last < 1; ) {
        long now = fixture.server.snapshot().requests();
        still = now == last ? still + 1 : 0;
        last = now;
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(last).isLessThan(calls);
      for (int i = 0; i < calls; i++) {
        assertThat(client.read().cells()).hasSize(block.length);
      }
      writer.join();
    }
  }

  @Test
  void namesAnAddressThatIsInUse() throws IOException {
    try (RpcFixture fixture = echo()) {
      RpcServerOptions same = RpcServerOptions.defaults("localhost", fixture.address().getPort());
      assertThatThrownBy(() -> new RpcFixture(same, List.of()))
          .isInstanceOf(BindException.class)
          .hasMessageContaining("Cannot listen on localhost:" + fixture.address().getPort())
          .hasMessageContaining("in use");
    }
  }

  @Test
  void givesThePortBackAndEndsItsThreadsWhenClosed() throws Exception {
    List<Thread> threads = new ArrayList<>();
    RpcEventLoops loops = new RpcEventLoops(1, RpcFixture.DAEMONS);
    RpcServer server =
        RpcServer.bind(
            RpcFixture.options(),
            loops,
            task -> {
              Thread thread = RpcFixture.DAEMONS.newThread(task);
              threads.add(thread);
              return thread;
            },
            Clock.SYSTEM);
    server.start(List.of(RpcFixture.meta()));
    assertThat(threads).as("an idle server has no handlers").isEmpty();
    try (RawConnection client = RawConnection.open(server.address(), "ClientMetaService", "")) {
      for (int i = 0; i < 100; i++) {
        client.send(call(i, "GetClusterId"), GetClusterIdRequest.getDefaultInstance());
        client.read();
      }
      assertThat(threads).as("one call at a time needs few handlers").hasSizeLessThan(4);
      server.close();
      assertThat(client.ended()).isTrue();
    }
    for (Thread thread : threads) {
      thread.join(10_000);
      assertThat(thread.isAlive()).isFalse();
    }
    // Asked more than once: on the loopback, a socket can be given the very port that it connects
    // to and so reach itself, and another process may have the port for a moment.
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (isReached(server.address())) {
      assertThat(System.nanoTime()).as("the port is still listened on").isLessThan(deadline);
    }
    loops.close();
  }

  private static boolean isReached(InetSocketAddress address) throws IOException {
    try {
      new Socket(address.getAddress(), address.getPort()).close();
      return true;
    } catch (ConnectException e) {
      return false;
    }
  }

  @Test
  void refusesTwoServicesOfOneName() throws IOException {
    RpcService service = RpcService.builder("ClientService", ClientService::getDescriptor).build();
    assertThatThrownBy(() -> new RpcFixture(RpcFixture.options(), List.of(service, service)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ClientService");
  }

  static void waitUntil(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
