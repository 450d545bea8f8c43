package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs Apache HBase's integration tests with their chaos monkeys, each in its short form, against a
 * cluster of processes. Needs Maven and a network at its first run. See {@code
 * interop/integration/README.md}, which also has longer forms.
 */
@Timeout(1800)
@Tag("long")
class ApacheChaosTest {
  private static final Path RUN = Path.of("..", "interop", "integration", "run");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "IntegrationTestBigLinkedList -m serverKilling Loop 1 2 100000 /tmp/list 2 2000 25",
        "--minutes 5 PatchedDDLMasterFailover -m stressAM",
        "--minutes 5 PatchedAcidGuarantees -m slowDeterministic",
        "--minutes 5 IntegrationTestIngestWithMOB"
            + " -DIntegrationTestIngestWithMOB.num_keys_per_server=250"
            + " -m serverAndDependenciesKilling",
        "-M skip.meta.rs=true --minutes 5 IntegrationTestTimeBoundedRequestsWithRegionReplicas"
            + " -DIntegrationTestTimeBoundedRequestsWithRegionReplicas.num_keys_per_server=1000"
            + " -m serverKilling",
        "-T hbase.IntegrationTestMTTR.sleeptime=5000 IntegrationTestMTTR",
        "-T hbase.IntegrationTestManyRegions.regions=300 IntegrationTestManyRegions",
      })
  void aTestPasses(String arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(RUN.toString(), "--folder", folder.toString()));
    command.addAll(List.of(arguments.split(" ")));
    int status = new ProcessBuilder(command).inheritIO().start().waitFor();
    assertThat(status).as(arguments).isZero();
  }
}
