package dev.cairn.bench.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The processes of a running cluster, by the port on which they serve clients. */
public interface ClusterProcesses extends AutoCloseable {
  /** Returns the directory of the cluster's {@code hbase-site.xml}. */
  Path configuration();

  /** Returns the folder with the servers' logs; empty if it is not known. */
  Optional<Path> logs();

  /**
   * Returns the id of the process that serves a port.
   *
   * @throws IOException if no such process is known
   */
  long pid(int port) throws IOException;

  /** Starts the processes that were killed, and waits until they serve. */
  void restart() throws IOException, InterruptedException;

  /** Ends the processes that this object has started. */
  @Override
  void close() throws IOException, InterruptedException;
}
