package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.health.HealthStatus;
import dev.cairn.server.master.assignment.Assignments.Missed;
import dev.cairn.server.process.health.RegionsHealth;
import dev.cairn.server.rpc.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the health report of a process, also over HTTP, and while clients abuse its web page. */
@Timeout(60)
class ProcessHealthTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final FaultyStorage disk =
      new FaultyStorage(new MemoryStorage(Clock.SYSTEM), new Faults(new SplittableRandom(1)));

  @Test
  void aServingProcessIsHealthy() throws Exception {
    try (CairnProcess process = start(Map.of())) {
      assertThat(process.health().checks())
          .extracting(HealthReport.Entry::name)
          .containsExactlyInAnyOrder(
              "server",
              "disk",
              "memory",
              "regions",
              "log",
              "tables",
              "load",
              "coprocessors",
              "files",
              "settings");
      Waiting.waitUntil(() -> process.health().status() == HealthStatus.OK);
      HttpResponse<String> answer = health(process);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(HealthReport.parse(answer.body()).status()).isEqualTo(HealthStatus.OK);
    }
  }

  @Test
  void aFullDiskFailsUntilThereIsSpace() throws Exception {
    try (CairnProcess process = start(Map.of())) {
      disk.limitTo(disk.usedBytes() + (100 << 20));
      assertThat(result(process, "disk").status()).isEqualTo(HealthStatus.WARN);
      assertThat(result(process, "disk").message()).contains("100.0 MiB", "room.min");
      disk.limitTo(disk.usedBytes());
      assertThat(result(process, "disk").status()).isEqualTo(HealthStatus.FAIL);
      assertThat(result(process, "disk").message()).contains("full");
      assertThat(health(process).statusCode()).isEqualTo(503);
      disk.limitTo(Long.MAX_VALUE);
      assertThat(result(process, "disk").status()).isEqualTo(HealthStatus.OK);
    }
  }

  @Test
  void aStartOnAFullDiskFailsAtOnce() {
    disk.limitTo(disk.usedBytes());
    assertThatThrownBy(() -> start(Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("The disk is full");
  }

  @Test
  void aStartUnderAnUnknownNameFailsAtOnce() {
    assertThatThrownBy(() -> start(Map.of("cairn.hostname", "outside.invalid")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("outside.invalid", "cairn.hostname");
  }

  @Test
  void connectionsThatNeverFinishBlockNeitherThePageNorTheCleaners() throws Exception {
    try (CairnProcess process =
        start(Map.of("hbase.master.cleaner.interval", "100", "hbase.master.logcleaner.ttl", "0"))) {
      List<Socket> sockets = new ArrayList<>();
      try {
        InetSocketAddress web = process.endpoints().web().orElseThrow();
        for (int i = 0; i < 20; i++) {
          Socket socket = new Socket(web.getAddress(), web.getPort());
          sockets.add(socket);
          socket.getOutputStream().write('G');
        }
        String old = "oldWALs/h%2C1%2C1.1";
        disk.writeAll(old, new byte[] {1});
        assertThat(health(process).statusCode()).isEqualTo(200);
        Waiting.waitUntil(() -> !exists(old));
      } finally {
        for (Socket socket : sockets) {
          socket.close();
        }
      }
    }
  }

  @Test
  void regionsThatAreNotOpenAreNamed() {
    RegionInfo region =
        new RegionInfo(TableName.parse("t"), new byte[0], new byte[0], 1700000000000L);
    assertThat(RegionsHealth.result(List.of()).status()).isEqualTo(HealthStatus.OK);
    HealthResult one = RegionsHealth.result(List.of(new Missed(region, Optional.empty())));
    assertThat(one.status()).isEqualTo(HealthStatus.WARN);
    assertThat(one.message())
        .contains("1 region is not open", region.regionNameAsString(), "see the log");
    assertThat(
            RegionsHealth.result(
                    List.of(
                        new Missed(region, Optional.of("it fails")),
                        new Missed(RegionInfo.META, Optional.of("it fails"))))
                .message())
        .contains("2 regions are not open", "\n2 regions: it fails")
        .doesNotContain("see the log");
    assertThat(
            RegionsHealth.result(
                    List.of(
                        new Missed(region, Optional.empty()),
                        new Missed(RegionInfo.META, Optional.empty())))
                .status())
        .isEqualTo(HealthStatus.FAIL);
  }

  private static HealthResult result(CairnProcess process, String check) {
    return process.health().checks().stream()
        .filter(entry -> entry.name().equals(check))
        .findAny()
        .orElseThrow()
        .result();
  }

  private static HttpResponse<String> health(CairnProcess process) throws Exception {
    int port = process.endpoints().web().orElseThrow().getPort();
    URI uri = URI.create("http://127.0.0.1:" + port + "/health?format=json");
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri).timeout(PATIENCE).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private boolean exists(String path) {
    try {
      return disk.exists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CairnProcess start(Map<String, String> changes) throws IOException {
    Map<String, String> settings = new HashMap<>();
    settings.put("hbase.master.port", "0");
    settings.put("hbase.regionserver.port", "0");
    settings.put("hbase.zookeeper.property.clientPort", "0");
    settings.put("hbase.master.info.port", "0");
    settings.put("hbase.regionserver.info.port", "-1");
    settings.put("hbase.master.ipc.address", "127.0.0.1");
    settings.put("hbase.regionserver.ipc.address", "127.0.0.1");
    settings.put("hbase.master.info.bindAddress", "127.0.0.1");
    settings.put("hbase.zookeeper.property.clientPortAddress", "127.0.0.1");
    settings.put("cairn.hostname", "127.0.0.1");
    settings.putAll(changes);
    return CairnProcess.start(new SiteConfig(settings), disk, Optional.empty(), Clock.SYSTEM);
  }
}
