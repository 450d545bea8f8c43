package dev.cairn.bench.failover;

import dev.cairn.bench.cluster.ClusterProcesses;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Injects a fault, and measures how long clients wait. Each region has a writer; one reader reads
 * the rows of all of them.
 */
final class FaultRun {
  private static final Duration QUIET = Duration.ofSeconds(3);
  private static final Duration WATCH = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofSeconds(240);
  private static final long LOOK_MILLIS = 50;

  private final Connection connection;
  private final ClusterProcesses processes;
  private final FailoverTable table;

  /**
   * The result of a fault.
   *
   * @param pauseMillis the longest time that a writer waited
   * @param readMillis the longest time that a read took
   * @param masterMillis after how long another master answered, if the master was killed
   * @param acknowledged the number of acknowledged writes
   * @param lost the acknowledged rows that are missing
   * @param asked how many rows were read from a frozen server when it resumed; they were written
   *     while it was frozen
   * @param stale the acknowledged rows that a read did not find
   * @param replicaReads reads that replicas may answer, if the table has replicas
   * @param start when the fault was injected
   */
  record Result(
      Fault fault,
      long pauseMillis,
      long readMillis,
      Optional<Long> masterMillis,
      int acknowledged,
      List<String> lost,
      int asked,
      List<String> stale,
      Optional<ReplicaReader.Reads> replicaReads,
      Instant start) {}

  FaultRun(Connection connection, ClusterProcesses processes, FailoverTable table) {
    this.connection = connection;
    this.processes = processes;
    this.table = table;
  }

  /**
   * Runs it.
   *
   * @param frozen how long a frozen process sleeps
   * @throws IOException if the writers do not go on, or fail
   */
  Result run(Fault fault, Duration frozen) throws IOException, InterruptedException {
    ServerName victim = victim(fault);
    long pid = processes.pid(victim.getPort());
    List<RegionWriter> writers = table.writers();
    RowReader reader = new RowReader(connection, table, writers);
    ReplicaReader replicas = new ReplicaReader(connection, table);
    writers.forEach(Thread::start);
    reader.start();
    if (table.hasReplicas()) {
      replicas.start();
    }
    try {
      awaitFirst(writers);
      Thread.sleep(QUIET.toMillis());
      writers.forEach(RegionWriter::begin);
      reader.begin();
      replicas.begin();
      Instant begin = Instant.now();
      long start = System.nanoTime();
      Returned returned = new Returned(0, List.of());
      Optional<Long> masterMillis = Optional.empty();
      if (fault.freezes()) {
        returned = freeze(victim, pid, frozen, writers);
      } else {
        signal("KILL", pid);
        if (fault == Fault.MASTER) {
          masterMillis = Optional.of(awaitMaster(victim, start));
        }
      }
      awaitWriters(writers, System.nanoTime());
      reader.end();
      replicas.end();
      if (reader.failure().isPresent()) {
        throw new IOException("The reader failed", reader.failure().get());
      }
      List<String> stale = new ArrayList<>(returned.missed());
      stale.addAll(reader.missed());
      Optional<ReplicaReader.Reads> replicaReads =
          table.hasReplicas() ? Optional.of(replicas.reads()) : Optional.empty();
      return result(
          fault,
          writers,
          reader.longestMillis(),
          masterMillis,
          returned.asked(),
          stale,
          replicaReads,
          begin);
    } finally {
      for (RegionWriter writer : writers) {
        writer.end();
      }
      reader.end();
      replicas.end();
    }
  }

  /**
   * The answers of a frozen server when it resumed.
   *
   * @param asked the number of reads; their rows were written while it was frozen
   * @param missed the rows that these reads did not find
   */
  private record Returned(int asked, List<String> missed) {}

  /** Freezes a process for a time, and reads from it when it resumes. */
  private Returned freeze(ServerName victim, long pid, Duration frozen, List<RegionWriter> writers)
      throws IOException, InterruptedException {
    List<RegionWriter> own = new ArrayList<>();
    for (int i = 0; i < writers.size(); i++) {
      if (table.server(i).equals(victim)) {
        own.add(writers.get(i));
      }
    }
    Configuration patient = new Configuration(connection.getConfiguration());
    long millis = frozen.plus(PATIENCE).toMillis();
    patient.setLong("hbase.rpc.timeout", millis);
    patient.setLong("hbase.rpc.read.timeout", millis);
    patient.setLong("hbase.client.operation.timeout", millis);
    try (ReturnReads reads = new ReturnReads(patient, table, own)) {
      int asked;
      try {
        signal("STOP", pid);
        Thread.sleep(frozen.toMillis());
        asked = reads.send();
      } finally {
        signal("CONT", pid);
      }
      return new Returned(asked, reads.missed());
    }
  }

  private static void awaitFirst(List<RegionWriter> writers)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (writers.stream().anyMatch(writer -> writer.newest().isEmpty())) {
      for (RegionWriter writer : writers) {
        if (writer.failure().isPresent()) {
          throw new IOException("A writer failed", writer.failure().get());
        }
      }
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new IOException("Not all regions took a write within " + PATIENCE.toSeconds() + " s");
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private static Result result(
      Fault fault,
      List<RegionWriter> writers,
      long readMillis,
      Optional<Long> masterMillis,
      int asked,
      List<String> stale,
      Optional<ReplicaReader.Reads> replicaReads,
      Instant start)
      throws IOException, InterruptedException {
    long pause = 0;
    int acknowledged = 0;
    List<String> lost = new ArrayList<>();
    for (RegionWriter writer : writers) {
      writer.end();
      if (writer.failure().isPresent()) {
        throw new IOException("A writer failed", writer.failure().get());
      }
      pause = Math.max(pause, writer.longestPauseMillis());
      acknowledged += writer.acknowledged();
      lost.addAll(writer.lost());
    }
    return new Result(
        fault,
        pause,
        readMillis,
        masterMillis,
        acknowledged,
        lost,
        asked,
        stale,
        replicaReads,
        start);
  }

  private ServerName victim(Fault fault) throws IOException {
    return switch (fault) {
      case SERVER, FROZEN -> table.serverBeside(table.metaServer());
      case META -> table.metaServer();
      case MASTER -> master();
    };
  }

  private ServerName master() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getMaster();
    }
  }

  /** Waits until another master answers; returns the milliseconds since {@code start}. */
  private long awaitMaster(ServerName former, long start) throws IOException, InterruptedException {
    while (System.nanoTime() - start < PATIENCE.toNanos()) {
      try (Admin admin = connection.getAdmin()) {
        if (!admin.getMaster().equals(former)) {
          admin.listTableNames(); // an answer of the master itself, not of ZooKeeper
          return (System.nanoTime() - start) / 1_000_000;
        }
      } catch (IOException e) {
        // No master serves yet.
      }
      Thread.sleep(LOOK_MILLIS);
    }
    throw new IOException("No other master answered within " + PATIENCE.toSeconds() + " s");
  }

  private static void awaitWriters(List<RegionWriter> writers, long since)
      throws IOException, InterruptedException {
    long watched = since + WATCH.toNanos();
    while (System.nanoTime() - since < PATIENCE.toNanos()) {
      if (writers.stream().anyMatch(writer -> writer.failure().isPresent())) {
        return; // The result says why.
      }
      if (System.nanoTime() > watched && writers.stream().allMatch(w -> w.writesSince(since))) {
        return;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    throw new IOException("Not all regions took writes within " + PATIENCE.toSeconds() + " s");
  }

  private static void signal(String signal, long pid) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).inheritIO().start();
    if (kill.waitFor() != 0) {
      throw new IOException("Cannot send SIG" + signal + " to process " + pid);
    }
  }
}
