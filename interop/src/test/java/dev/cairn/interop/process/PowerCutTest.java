package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cairn.interop.tools.CairnTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.util.StringUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Cuts the power of the disk with the data folder, again and again. Nothing that the server has
 * acknowledged is lost, no file is damaged or set aside, and the clients that have lived through
 * all of it go on. Half of the cuts follow several quick starts.
 *
 * <p>{@code -Dcairn.rounds} sets the number of cuts. Each round prints its seed. {@code
 * -Dcairn.seed} repeats the choices of that round first, but not its timing.
 *
 * <pre>
 * mvn -pl interop -am test -Dtest=PowerCutTest -Dsurefire.failIfNoSpecifiedTests=false -Dgroups=long -Dcairn.rounds=200
 * </pre>
 */
@Tag("long")
class PowerCutTest {
  private static final int ROUNDS = 20;

  /** A missing sync is found within so many rounds. */
  private static final int ROUNDS_WITH_FAULT = 20;

  /** What the checks, the clients or the server say if something is lost or damaged. */
  private static final Pattern LOSS =
      Pattern.compile(
          "row \\S+ (holds|reads) |counter [0-9]+ is |was never written|\\[torn row "
              + "|\\[(tables|snapshots|namespaces|set aside)\\]"
              + "|TableNotFoundException: "
              + Workload.TABLE
              + "|is damaged at (byte|offset) ");

  private static final int STEPS_MAX = 1500;
  private static final int DISK_MEGABYTES = 2000;
  private static final int STOP_SECONDS_MAX = 120;
  private static final int CALL_MILLIS_MAX = 900_000;

  @TempDir private Path directory;
  private ForgetfulDisk disk;
  private ServerProcess server;
  private int roundsBegun;
  private long longestNanos;
  private long longestOutageNanos;

  @BeforeEach
  void prepare() throws Exception {
    prepare(directory);
  }

  private void prepare(Path folder) throws Exception {
    disk = ForgetfulDisk.make(folder, DISK_MEGABYTES);
    server =
        new ServerProcess(folder, disk.path().resolve("data"))
            .set("hbase.wal.dir", disk.path().resolve("logs").toString())
            .set("hbase.hregion.memstore.flush.size", "262144")
            .set("hbase.hregion.memstore.block.multiplier", "16")
            .set("hbase.regionserver.hlog.blocksize", "1048576");
  }

  @AfterEach
  void end() throws Exception {
    if (server != null) {
      server.close();
      server = null;
      disk.close();
    }
  }

  @Test
  void nothingIsLostAndTheSameClientsGoOn() throws Exception {
    long seed = Long.getLong("cairn.seed", System.nanoTime());
    play(seed, Integer.getInteger("cairn.rounds", ROUNDS));
    System.out.printf(
        "longest time from a cut to a server that serves: %d ms; longest call: %d ms%n",
        TimeUnit.NANOSECONDS.toMillis(longestOutageNanos),
        TimeUnit.NANOSECONDS.toMillis(longestNanos));
  }

  /** Shows that the test finds what it looks for, and that without the fault it finds nothing. */
  @ParameterizedTest
  @CsvSource({
    "a log, if (seal.isEmpty()) out.getFD().sync();",
    "a store file, if (!path.startsWith(\"data/default/\")) out.getFD().sync();"
  })
  void aMissingSyncIsFound(String of, String fault) throws Exception {
    Path classes =
        PatchedClasses.compile(
            Files.createDirectory(directory.resolve("patch")),
            "engine/src/main/java/dev/cairn/engine/storage/LocalAppendFile.java",
            "out.getFD().sync();",
            fault);
    server.patch(classes);
    Throwable found = catchThrowable(() -> play(1, ROUNDS_WITH_FAULT));
    assertThat(found).as("a sync of %s is missing", of).isNotNull();
    System.out.println("found: " + found);
    assertThat(StringUtils.stringifyException(found)).containsPattern(LOSS);
    end();
    prepare(Files.createDirectory(directory.resolve("control")));
    play(1, roundsBegun);
  }

  private void play(long seed, int rounds) throws Exception {
    System.out.println("-Dcairn.seed=" + seed + ", rounds: " + rounds);
    Workload workload = new Workload(new SplittableRandom(seed));
    TableOperations operations = new TableOperations();
    roundsBegun = 0;
    server.start();
    cutPower(); // right after the first start
    server.start();
    Configuration settings = client();
    Configuration other = new Configuration(settings);
    ServerProcess.askServers(other, server.setting("hbase.regionserver.port"));
    try (Connection byZooKeeper = ConnectionFactory.createConnection(settings);
        Connection byServers = ConnectionFactory.createConnection(other)) {
      Workload.createTable(byZooKeeper);
      for (int round = 0; round < rounds; round++) {
        roundsBegun = round + 1;
        SplittableRandom random = new SplittableRandom(seed + round);
        System.out.printf("round %d of %d, -Dcairn.seed=%d%n", round + 1, rounds, seed + round);
        boolean swap = random.nextBoolean();
        Connection writing = swap ? byServers : byZooKeeper;
        Connection reading = swap ? byZooKeeper : byServers;
        round(workload, operations, writing, random);
        workload.verify(reading);
        try (Admin admin = reading.getAdmin()) {
          operations.verify(admin);
        }
        checkFiles();
      }
    }
  }

  /** Returns settings with which a call outlives several starts on a busy machine. */
  private Configuration client() {
    Configuration settings = server.patientClient();
    for (String timeout :
        List.of(
            "hbase.client.operation.timeout",
            "hbase.client.meta.operation.timeout",
            "hbase.client.scanner.timeout.period",
            "hbase.client.meta.scanner.timeout.period",
            "zookeeper.registry.async.get.timeout")) {
      settings.setInt(timeout, CALL_MILLIS_MAX);
    }
    return settings;
  }

  private void round(
      Workload workload, TableOperations operations, Connection connection, SplittableRandom random)
      throws Exception {
    long steps = workload.steps();
    int outputBefore = server.output().length();
    Workload.Run run = workload.begin(connection);
    Operator operator = new Operator(operations, connection, random.split());
    int starts = random.nextBoolean() ? random.nextInt(2, 5) : 0;
    for (int i = 0; i < starts; i++) {
      startAgain(random);
    }
    boolean whileStarting = random.nextInt(4) == 0;
    if (whileStarting) {
      server.kill();
      server.launch();
      RandomMoment.pause(random, 100, 3000);
    } else if (random.nextBoolean()) {
      RandomMoment.pause(random, 0, 1000);
    } else {
      workload.await(random.nextInt(STEPS_MAX));
    }
    long cut = System.nanoTime();
    cutPower();
    while (random.nextInt(4) == 0) { // also while the server recovers
      server.launch();
      RandomMoment.pause(random, 200, 3000);
      cutPower();
    }
    server.start();
    long served = System.nanoTime();
    run.awaitEach();
    long gone = System.nanoTime() - served;
    workload.await(random.nextInt(STEPS_MAX / 4));
    run.end(); // first: if rows are missing, an operation may wait for long
    operator.end();
    longestNanos = Math.max(longestNanos, run.longestNanos());
    longestOutageNanos = Math.max(longestOutageNanos, served - cut);
    System.out.printf(
        "  %d quick starts%s, %d steps; %d ms to serve, all writers go on after %d ms more, longest"
            + " call %d ms%n",
        starts,
        whileStarting ? ", cut while starting" : "",
        workload.steps() - steps,
        TimeUnit.NANOSECONDS.toMillis(served - cut),
        TimeUnit.NANOSECONDS.toMillis(gone),
        TimeUnit.NANOSECONDS.toMillis(run.longestNanos()));
    List<String> errors =
        server
            .output()
            .substring(outputBefore)
            .lines()
            .filter(line -> line.contains(" ERROR "))
            .toList();
    assertThat(errors).isEmpty();
  }

  private void startAgain(SplittableRandom random) throws Exception {
    RandomMoment.pause(random, 0, 1000);
    if (random.nextBoolean()) {
      server.kill();
    } else {
      server.terminate(STOP_SECONDS_MAX);
    }
    server.start();
  }

  /** Stops the process first, so that no sync is under way at the cut. */
  private void cutPower() throws Exception {
    server.freeze();
    disk.cut();
    server.kill();
    disk.restore();
  }

  /** Fails if {@code bin/cairn verify} finds damage, or if a file or folder was set aside. */
  private void checkFiles() throws IOException {
    CairnTool verify = CairnTool.run("verify", server.dataFolder().toString());
    assertThat(verify.status()).as(verify.out() + verify.err()).isZero();
    try (Stream<Path> files = Files.walk(disk.path())) {
      assertThat(
              files.map(Path::toString).filter(name -> name.matches(".*(\\.damaged|/corrupt/).*")))
          .as("set aside")
          .isEmpty();
    }
  }

  /** A thread that performs table operations until its end. */
  private static final class Operator {
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean ending;

    Operator(TableOperations operations, Connection connection, SplittableRandom random) {
      thread =
          new Thread(
              () -> {
                try (Admin admin = connection.getAdmin()) {
                  while (!ending) {
                    operations.step(admin, random);
                  }
                } catch (Throwable e) {
                  failure.set(e);
                }
              },
              "operator");
      thread.start();
    }

    void end() throws InterruptedException {
      ending = true;
      thread.join();
      if (failure.get() != null) {
        throw new AssertionError("A table operation failed", failure.get());
      }
    }
  }
}
