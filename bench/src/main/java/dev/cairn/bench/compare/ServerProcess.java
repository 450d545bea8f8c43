package dev.cairn.bench.compare;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * A server that was started.
 *
 * @param process the process that answers calls for rows
 * @param site the {@code hbase-site.xml} of its clients
 * @param dataFolder its {@code hbase.rootdir}; empty if it keeps nothing
 * @param log the file of its errors
 * @param companions the other processes of the server, whose processor time and memory also count
 */
public record ServerProcess(
    Process process, Path site, Optional<Path> dataFolder, Path log, List<Process> companions)
    implements Closeable {
  private static final long STOP_SECONDS_MAX = 120;
  private static final long START_SECONDS_MAX = 180;

  /** Creates a server of one process. */
  public ServerProcess(Process process, Path site, Optional<Path> dataFolder, Path log) {
    this(process, site, dataFolder, log, List.of());
  }

  /** Returns the number of the process. */
  public long pid() {
    return process.pid();
  }

  /** Connects a client as soon as the server answers. */
  public Connection connect() throws IOException, InterruptedException {
    Configuration site = new Configuration(false);
    site.addResource(new org.apache.hadoop.fs.Path(site().toUri()));
    Configuration configuration = HBaseConfiguration.create(site);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (true) {
      Connection connection = ConnectionFactory.createConnection(configuration);
      try (Admin admin = connection.getAdmin()) {
        admin.listTableNames();
        return connection;
      } catch (IOException e) {
        connection.close();
        if (System.nanoTime() > end || !process.isAlive()) {
          throw new IOException("The server does not answer; see " + log, e);
        }
        TimeUnit.SECONDS.sleep(1);
      }
    }
  }

  /** Measures the costs of all its processes so far. */
  public ProcessFigures figures() throws IOException {
    if (!process.isAlive()) {
      throw new IOException(
          "The server has ended with status " + process.exitValue() + "; see " + log);
    }
    ProcessFigures sum = ProcessFigures.of(pid());
    for (Process companion : companions) {
      sum = sum.plus(ProcessFigures.of(companion.pid()));
    }
    return sum;
  }

  /** Asks it to stop, waits until it has ended, and returns how long that took, in seconds. */
  double stop() throws IOException {
    long start = System.nanoTime();
    try {
      stop(process);
      for (Process companion : companions) {
        stop(companion);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the server stops", e);
    }
    return (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
  }

  private void stop(Process one) throws IOException, InterruptedException {
    one.destroy();
    if (!one.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new IOException("The server does not stop; see " + log);
    }
  }

  /** Ends it at once, if it still runs. */
  @Override
  public void close() {
    process.destroyForcibly();
    companions.forEach(Process::destroyForcibly);
  }
}
