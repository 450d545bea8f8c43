package dev.cairn.interop.process;

import dev.cairn.engine.time.Effort;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the server has acknowledged, it keeps, whenever it is killed: while it flushes, compacts and
 * begins new logs, and while it recovers from the kill before. Rows are never torn, and what must
 * happen once does not happen twice.
 *
 * <p>{@code -Dcairn.rounds} sets the number of kills; {@code -Dcairn.seed} repeats the choices of a
 * run, though not the timing of its threads:
 *
 * <pre>
 * mvn -pl interop -am test -Dtest=DurabilityTest -Dsurefire.failIfNoSpecifiedTests=false -Dcairn.rounds=1000
 * </pre>
 */
@Tag("forms")
class DurabilityTest {
  private static final int STEPS_MAX = 600;

  @TempDir private Path directory;
  private ServerProcess server;

  @BeforeEach
  void prepareServer() throws Exception {
    server =
        new ServerProcess(directory)
            .set("hbase.hregion.memstore.flush.size", "65536")
            .set("hbase.hregion.memstore.block.multiplier", "16")
            .set("hbase.regionserver.hlog.blocksize", "524288");
  }

  @AfterEach
  void endServer() throws Exception {
    server.close();
  }

  @Test
  void keepsWhatItAcknowledgedOverAnyNumberOfKills() throws Exception {
    long seed = Long.getLong("cairn.seed", System.nanoTime());
    int rounds = Effort.rounds(1, 100);
    System.out.println("-Dcairn.seed=" + seed + ", rounds: " + rounds);
    SplittableRandom random = new SplittableRandom(seed);
    Workload workload = new Workload(random.split());
    server.start();
    try (Connection connection = ConnectionFactory.createConnection(server.patientClient())) {
      Workload.createTable(connection);
      for (int round = 1; round <= rounds; round++) {
        long began = System.nanoTime();
        long steps = workload.steps();
        boolean clientsGoOn = random.nextInt(3) == 0;
        if (clientsGoOn) {
          killUnderClientsThatGoOn(workload, connection, random);
        } else {
          killUnderClientsThatGiveUp(workload, random);
        }
        workload.verify(connection);
        System.out.printf(
            "round %d: %d steps, clients %s, %d ms%n",
            round,
            workload.steps() - steps,
            clientsGoOn ? "went on" : "gave up",
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
      }
    }
  }

  private void killUnderClientsThatGiveUp(Workload workload, SplittableRandom random)
      throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(server.impatientClient())) {
      Workload.Run run = workload.begin(connection);
      workload.await(random.nextInt(STEPS_MAX));
      run.expectFailures();
      server.kill();
      run.end();
    }
    recover(random);
  }

  private void killUnderClientsThatGoOn(
      Workload workload, Connection connection, SplittableRandom random) throws Exception {
    Workload.Run run = workload.begin(connection);
    workload.await(random.nextInt(STEPS_MAX));
    server.kill();
    recover(random);
    workload.await(random.nextInt(STEPS_MAX));
    run.end();
  }

  /** Starts the server, now and then only after it was killed while starting. */
  private void recover(SplittableRandom random) throws Exception {
    while (random.nextInt(3) == 0) {
      server.launch();
      RandomMoment.pause(random, 200, 1500);
      server.kill();
    }
    server.start();
  }
}
