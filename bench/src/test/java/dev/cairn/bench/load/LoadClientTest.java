package dev.cairn.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.bench.load.Workload.Distribution;
import dev.cairn.bench.load.Workload.Kind;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver in a process of its own. */
class LoadClientTest {
  private static final Workload COUNTER = new Workload(Kind.COUNTER, Distribution.ZIPFIAN, 0);
  private static final Workload BULK = new Workload(Kind.BULK, Distribution.ZIPFIAN, 20);

  @TempDir private Path folder;

  @Test
  void doesWhatItIsToldAndAnswersWithResults() throws Exception {
    try (CairnServer server = CairnServer.start();
        LoadClient client = client()) {
      client.connect(site(server), true);
      client.prepare(COUNTER);
      LoadResult result = client.run(COUNTER, new Pace(0.5, 40, false));

      assertThat(result.operations()).isBetween(1L, 20L);
      assertThat(result.latencies().get(0).operation()).isEqualTo("increment");
      assertThat(result.cpuSeconds()).isPositive();

      client.prepare(BULK);
      client.warmUp(BULK, 0.1);
      assertThat(client.run(BULK, Pace.closed(1)).units()).isEqualTo(100);
      client.settle(BULK);
    }
  }

  @Test
  void tellsWhatFailed() throws IOException {
    try (LoadClient client = client()) {
      assertThatThrownBy(() -> client.prepare(COUNTER)).hasMessageContaining("Not connected");
    }
  }

  private LoadClient client() throws IOException {
    return LoadClient.start(
        new LoadPlan(100, 1, 10, 1, 2, 10_000), "128m", folder.resolve("output"));
  }

  private Path site(CairnServer server) throws IOException {
    Path site = folder.resolve("hbase-site.xml");
    try (OutputStream out = Files.newOutputStream(site)) {
      server.configuration().writeXml(out);
    }
    return site;
  }
}
