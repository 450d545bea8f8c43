package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.coordination.EmbeddedZooKeeper;
import dev.cairn.server.health.HealthStatus;
import dev.cairn.server.rpc.FreePorts;
import dev.cairn.server.rpc.LoggedLines;
import dev.cairn.server.rpc.RpcEventLoops;
import dev.cairn.server.rpc.Waiting;
import dev.cairn.server.rpc.client.RpcClient;
import dev.cairn.server.slowlog.SlowLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.StopServerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.StopServerResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ShutdownRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ShutdownResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the start and end of a process, also after failures. */
@Timeout(60)
class CairnProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Settings for a process on free ports of the loopback address. */
  private static final Map<String, String> LOCAL =
      Map.of(
          "hbase.master.port", "0",
          "hbase.regionserver.port", "0",
          "hbase.zookeeper.property.clientPort", "0",
          "hbase.master.info.port", "0",
          "hbase.regionserver.info.port", "0",
          "hbase.master.ipc.address", "127.0.0.1",
          "hbase.regionserver.ipc.address", "127.0.0.1",
          "hbase.master.info.bindAddress", "127.0.0.1",
          "hbase.zookeeper.property.clientPortAddress", "127.0.0.1",
          "cairn.hostname", "127.0.0.1");

  private final Storage storage = new MemoryStorage(Clock.SYSTEM);

  @RegisterExtension private final LoggedLines calls = new LoggedLines(SlowLog.class);

  @Test
  void aStoppedProcessLeavesNothingBehind() throws Exception {
    Set<Thread> before = threads();
    for (int i = 0; i < 3; i++) {
      start(Map.of()).close();
    }
    awaitThreadsOf(before);
  }

  @Test
  void anAbortedProcessLeavesNothingBehind() throws Exception {
    Set<Thread> before = threads();
    start(Map.of()).abort("a test asked for it");
    awaitThreadsOf(before);
  }

  @Test
  void aStartThatFindsAPortTakenGivesBackTheOthers() throws Exception {
    Set<Thread> before = threads();
    int masterPort = FreePorts.find();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Map<String, String> ports =
          Map.of(
              "hbase.master.port",
              Integer.toString(masterPort),
              "hbase.zookeeper.property.clientPort",
              Integer.toString(taken.getLocalPort()));
      assertThatThrownBy(() -> start(ports))
          .isInstanceOf(BindException.class)
          .hasMessageContaining(Integer.toString(taken.getLocalPort()));
    }
    new ServerSocket(masterPort, 1, InetAddress.getLoopbackAddress()).close();
    awaitThreadsOf(before);
  }

  @Test
  void aPortThatIsTakenIsNamedWithItsSetting() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (String key : new String[] {"hbase.master.port", "hbase.regionserver.port"}) {
        String port = Integer.toString(taken.getLocalPort());
        assertThatThrownBy(() -> start(Map.of(key, port)))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining(port)
            .hasMessageContaining(key);
      }
    }
  }

  @Test
  void aStartTellsThatItWaitsForZooKeeperAndGoesOnWhenThatComes() throws Exception {
    int port = FreePorts.find();
    BlockingQueue<String> notices = new LinkedBlockingQueue<>();
    AtomicReference<Thread> starter = new AtomicReference<>();
    AtomicReference<Thread> teller = new AtomicReference<>();
    Map<String, String> settings = new HashMap<>(LOCAL);
    settings.put("hbase.cluster.distributed", "true");
    settings.put("hbase.zookeeper.quorum", "127.0.0.1:" + port);
    CompletableFuture<CairnProcess> starting =
        CompletableFuture.supplyAsync(
            () -> {
              starter.set(Thread.currentThread());
              try {
                return CairnProcess.start(
                    new SiteConfig(settings),
                    LiveConfig::withoutFile,
                    storage,
                    Optional.empty(),
                    Clock.SYSTEM,
                    notice -> {
                      teller.set(Thread.currentThread());
                      notices.add(notice);
                    });
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    assertThat(notices.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isEqualTo("Waiting for ZooKeeper at 127.0.0.1:" + port + " (hbase.zookeeper.quorum)");
    assertThat(starting).isNotDone();
    assertThat(teller.get()).as("the thread that starts tells").isSameAs(starter.get());

    try (EmbeddedZooKeeper zooKeeper =
            EmbeddedZooKeeper.start(
                new InetSocketAddress("127.0.0.1", port),
                Optional.empty(),
                0,
                Clock.SYSTEM,
                failure -> {});
        CairnProcess process = starting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      assertThat(process.endpoints().zooKeeper()).isEqualTo("127.0.0.1:" + zooKeeper.port());
      assertThat(notices).as("told once").isEmpty();
    }
  }

  /** The data of its ZooKeeper are new. A lease lasts longer than this test. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStartAfterAKillWaitsForNoLease(boolean samePort) throws Exception {
    CairnProcess killed = start(Map.of());
    int port = killed.endpoints().regionServer().port();
    killed.abort("a test kills it");
    Map<String, String> ports =
        samePort ? Map.of("hbase.regionserver.port", Integer.toString(port)) : Map.of();
    try (CairnProcess process = start(ports)) {
      assertThat(process.awaitServing(PATIENCE)).isTrue();
    }
  }

  @Test
  void aStartOnAForeignFolderFailsWithTheReasonAndLeavesNothingBehind() throws Exception {
    Set<Thread> before = threads();
    storage.writeAll("holiday.jpg", new byte[] {1});
    assertThatThrownBy(() -> start(Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holiday.jpg");
    awaitThreadsOf(before);
  }

  @Test
  void aSiteThatRequestsProtectionIsRefusedUnlessItAllowsServingWithoutIt() throws Exception {
    Set<Thread> before = threads();
    Map<String, String> secure = new HashMap<>(Map.of("hbase.security.authentication", "kerberos"));
    assertThatThrownBy(() -> start(secure))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("hbase.security.authentication is <kerberos>")
        .hasMessageContaining("cairn.security.ignore.unsupported");
    awaitThreadsOf(before);
    assertThat(storage.list("")).as("nothing was written").isEmpty();

    secure.put("cairn.security.ignore.unsupported", "true");
    secure.put(
        "hbase.coprocessor.region.classes",
        "org.apache.hadoop.hbase.security.access.AccessController");
    start(secure).close();
  }

  /** All of 127.0.0.0/8 is this machine, but a server on 127.0.0.1 does not answer at 127.0.0.2. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aLocalSiteIsServedOnlyOnTheLoopbackUnlessAKeyOpensIt() throws Exception {
    Map<String, String> texts = new HashMap<>();
    for (String port :
        List.of(
            "hbase.master.port",
            "hbase.regionserver.port",
            "hbase.zookeeper.property.clientPort",
            "hbase.master.info.port",
            "hbase.regionserver.info.port")) {
      texts.put(port, "0");
    }
    try (CairnProcess process =
        CairnProcess.start(new SiteConfig(texts), storage, Optional.empty(), Clock.SYSTEM)) {
      assertThat(process.endpoints().regionServer().host()).isEqualTo("localhost");
      assertThat(ports(process)).hasSize(5).allMatch(port -> answers("127.0.0.1", port));
      assertThat(ports(process)).noneMatch(port -> answers("127.0.0.2", port));
    }
    texts.put("cairn.bind.address", "0.0.0.0");
    try (CairnProcess process =
        CairnProcess.start(new SiteConfig(texts), storage, Optional.empty(), Clock.SYSTEM)) {
      assertThat(ports(process)).hasSize(5).allMatch(port -> answers("127.0.0.2", port));
    }
    texts.put("cairn.bind.address", "127.0.0.2");
    try (CairnProcess process =
        CairnProcess.start(new SiteConfig(texts), storage, Optional.empty(), Clock.SYSTEM)) {
      assertThat(ports(process)).hasSize(5).allMatch(port -> answers("127.0.0.2", port));
      assertThat(ports(process)).noneMatch(port -> answers("127.0.0.1", port));
    }
  }

  @Test
  void aStandaloneServerHasItsPagesAtBothPorts() throws Exception {
    int[] sizes = new int[2];
    for (String both : List.of("0", "-1")) {
      Map<String, String> texts = new HashMap<>(LOCAL);
      texts.put("hbase.regionserver.info.port", both);
      try (CairnProcess process =
          CairnProcess.start(new SiteConfig(texts), storage, Optional.empty(), Clock.SYSTEM)) {
        Endpoints endpoints = process.endpoints();
        int ofMaster = endpoints.web(ServerRole.MASTER).orElseThrow().getPort();
        int ofRegionServer = endpoints.web(ServerRole.REGION_SERVER).orElseThrow().getPort();
        assertThat(ofMaster == ofRegionServer).as("one port only").isEqualTo(both.equals("-1"));
        for (int port : List.of(ofMaster, ofRegionServer)) {
          assertThat(page(port, "/jmx"))
              .contains("name=RegionServer,sub=Server", "name=Master,sub=Server");
          assertThat(page(port, "/metrics")).contains("cairn_regionserver_regions{");
          assertThat(page(port, "/rs-status")).contains("<title>");
        }
        sizes[both.equals("0") ? 0 : 1] = threads("cairn-web-network");
      }
    }
    assertThat(sizes[0]).as("the second port takes no thread").isEqualTo(sizes[1]);
  }

  @Test
  void theRegionServersPortServesPagesIfTheMastersIsOff() throws Exception {
    Map<String, String> texts = new HashMap<>(LOCAL);
    texts.put("hbase.master.info.port", "-1");
    try (CairnProcess process =
        CairnProcess.start(new SiteConfig(texts), storage, Optional.empty(), Clock.SYSTEM)) {
      Endpoints endpoints = process.endpoints();
      assertThat(endpoints.webs()).containsOnlyKeys(ServerRole.REGION_SERVER);
      assertThat(page(endpoints.web().orElseThrow().getPort(), "/master-status"))
          .contains("<title>");
    }
  }

  private static String page(int port, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  private static int threads(String prefix) {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith(prefix))
            .count();
  }

  private static List<Integer> ports(CairnProcess process) {
    Endpoints endpoints = process.endpoints();
    String zooKeeper = endpoints.zooKeeper();
    return List.of(
        endpoints.master().port(),
        endpoints.regionServer().port(),
        endpoints.web(ServerRole.MASTER).orElseThrow().getPort(),
        endpoints.web(ServerRole.REGION_SERVER).orElseThrow().getPort(),
        Integer.parseInt(zooKeeper.substring(zooKeeper.lastIndexOf(':') + 1)));
  }

  private static boolean answers(String address, int port) {
    try (Socket socket = new Socket(address, port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aProcessKnowsWhichSettingsHaveNoEffect() throws Exception {
    try (CairnProcess process =
        start(
            Map.of(
                "hbase.regionserver.slowlog.systable.enabled", "true", "cairn.hostnme", "here"))) {
      assertThat(process.warnings())
          .hasSize(2)
          .anyMatch(
              warning -> warning.startsWith("hbase.regionserver.slowlog.systable.enabled = true"))
          .anyMatch(warning -> warning.contains("Did you mean cairn.hostname?"));
      assertThat(process.health().checks())
          .filteredOn(entry -> entry.name().equals("settings"))
          .singleElement()
          .satisfies(entry -> assertThat(entry.result().status()).isEqualTo(HealthStatus.WARN))
          .satisfies(entry -> assertThat(entry.result().message()).contains("slowlog", "hostname"));
    }
  }

  @Test
  void bothServersLogTheirLargeCalls() throws Exception {
    try (CairnProcess process = start(Map.of("hbase.ipc.warn.response.size", "0"))) {
      assertThat(process.warnings()).isEmpty();
      for (String server : List.of("HMaster", "HRegionServer")) {
        Waiting.waitUntil(
            () ->
                calls.all().stream()
                    .anyMatch(line -> line.contains("\"class\":\"" + server + "\"")));
      }
      assertThat(calls.all()).allMatch(line -> line.startsWith("WARN (responseTooLarge): {"));
    }
  }

  @Test
  void twoWhoCloseBothReturnOnlyOnceAllIsClosed() throws Exception {
    CairnProcess process = start(Map.of());
    int port = process.endpoints().regionServer().port();
    CompletableFuture<Boolean> other =
        CompletableFuture.supplyAsync(
            () -> {
              close(process);
              return FreePorts.canListen(port);
            });
    process.close();
    assertThat(FreePorts.canListen(port)).isTrue();
    assertThat(other.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aProcessWhoseZooKeeperFailsEndsAndLeavesNothingBehind() throws Exception {
    Set<Thread> before = threads();
    CairnProcess process = start(Map.of());
    Thread writer =
        threads().stream()
            .filter(thread -> !before.contains(thread) && thread.getName().startsWith("SyncThread"))
            .findAny()
            .orElseThrow();
    writer.interrupt(); // It fails of that as of a log that cannot be written.
    assertThat(awaitStopped(process)).isFalse();
    awaitThreadsOf(before);
  }

  @Test
  void aProcessWithoutItsRegionServerEnds() throws Exception {
    CairnProcess process = start(Map.of());
    ServerName server = process.endpoints().regionServer();
    call(
        (client) ->
            client.call(
                server.address(),
                "AdminService",
                "StopServer",
                StopServerRequest.newBuilder().setReason("a test").build(),
                StopServerResponse.getDefaultInstance(),
                PATIENCE));
    assertThat(awaitStopped(process)).as("nobody asked the process to end").isFalse();
    assertThat(FreePorts.canListen(server.port())).isTrue();
  }

  @Test
  void aClusterThatIsShutDownEnds() throws Exception {
    CairnProcess process = start(Map.of());
    call(
        (client) ->
            client.call(
                process.endpoints().master().address(),
                "MasterService",
                "Shutdown",
                ShutdownRequest.getDefaultInstance(),
                ShutdownResponse.getDefaultInstance(),
                PATIENCE));
    assertThat(awaitStopped(process)).as("it was asked to end").isTrue();
    assertThat(FreePorts.canListen(process.endpoints().master().port())).isTrue();
  }

  private interface Call {
    void on(RpcClient client) throws IOException;
  }

  private static void call(Call call) throws IOException {
    try (RpcEventLoops loops = new RpcEventLoops(1, ServerThreads.named("test"));
        RpcClient client = new RpcClient(loops, "test")) {
      call.on(client);
    }
  }

  /** Waits for the end, and returns whether it was asked for. */
  private static boolean awaitStopped(CairnProcess process) throws Exception {
    return CompletableFuture.supplyAsync(
            () -> {
              try {
                return process.awaitStopped();
              } catch (InterruptedException e) {
                throw new CompletionException(e);
              }
            })
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private CairnProcess start(Map<String, String> changes) throws IOException {
    Map<String, String> settings = new HashMap<>(LOCAL);
    settings.putAll(changes);
    return CairnProcess.start(new SiteConfig(settings), storage, Optional.empty(), Clock.SYSTEM);
  }

  private static void close(CairnProcess process) {
    try {
      process.close();
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet();
  }

  /**
   * Waits until no thread runs that did not run before, but for those that Java and Netty share.
   */
  private static void awaitThreadsOf(Set<Thread> before) {
    Waiting.reaches(() -> newThreads(before).isEmpty());
    assertThat(newThreads(before)).isEmpty();
  }

  private static Set<String> newThreads(Set<Thread> before) {
    return threads().stream()
        .filter(thread -> !before.contains(thread) && thread.isAlive())
        .map(Thread::getName)
        .filter(name -> !name.startsWith("ForkJoinPool") && !name.startsWith("globalEventExecutor"))
        .collect(Collectors.toSet());
  }
}
