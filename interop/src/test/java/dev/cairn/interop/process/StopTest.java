package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stopping in order with SIGTERM, and starting where a server is running already. */
class StopTest {
  private static final int SECONDS_MAX = 240;

  /** 128 and the number of the signal, as a shell would say it. */
  private static final int ENDED_BY_SIGTERM = 143;

  @TempDir private Path directory;
  private ServerProcess server;

  @BeforeEach
  void startServer() throws Exception {
    server = new ServerProcess(directory).start();
  }

  @AfterEach
  void endServer() throws Exception {
    server.close();
  }

  @Test
  void stopsInOrderWhileClientsWriteAndThenFindsNothingToRecover() throws Exception {
    Workload workload = new Workload(new SplittableRandom());
    try (Connection connection = ConnectionFactory.createConnection(server.patientClient())) {
      Workload.createTable(connection);
      Workload.Run run = workload.begin(connection);
      workload.await(200);
      assertThat(server.terminate(SECONDS_MAX)).isEqualTo(ENDED_BY_SIGTERM);
      assertThat(server.dataFolder().resolve("cairn.status")).doesNotExist();
      String firstLife = server.output();
      server.start();
      workload.await(100);
      run.end();
      workload.verify(connection);

      assertThat(firstLife).doesNotContain("\tat ", "ERROR");
      String secondLife = server.output().substring(firstLife.length());
      assertThat(secondLife).doesNotContain("\tat ", "ERROR");
      assertThat(secondLife.lines().filter(line -> line.contains("log entries applied again")))
          .allMatch(line -> line.contains(" 0 log entries applied again"));
    }
  }

  @Test
  void aSecondProcessOnTheFolderIsRefusedAndTheFirstServesOn() throws Exception {
    Path log = directory.resolve("second");
    Process second = ServerProcess.launch(server.configFolder(), log);
    try {
      assertThat(second.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
      assertThat(second.exitValue()).isEqualTo(1);
      assertThat(Files.readString(log).lines().filter(line -> line.startsWith("cairn: ")))
          .singleElement()
          .asString()
          .contains(server.dataFolder().toString());
      assertThat(Files.readString(log)).doesNotContain("\tat ");
    } finally {
      second.destroyForcibly();
    }
    Workload workload = new Workload(new SplittableRandom());
    try (Connection connection = ConnectionFactory.createConnection(server.patientClient())) {
      Workload.createTable(connection);
      Workload.Run run = workload.begin(connection);
      workload.await(20);
      run.end();
      workload.verify(connection);
    }
  }
}
