package dev.cairn.bench.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The processes of a cluster that another program has started, and restarts.
 *
 * @param pids process ids by port
 */
public record GivenProcesses(Path configuration, Map<Integer, Long> pids)
    implements ClusterProcesses {
  /** Copies the ids. */
  public GivenProcesses {
    pids = Map.copyOf(pids);
  }

  @Override
  public Optional<Path> logs() {
    return Optional.empty();
  }

  @Override
  public long pid(int port) throws IOException {
    Long pid = pids.get(port);
    if (pid == null) {
      throw new IOException("No process is known at port " + port + ": add it to --process");
    }
    return pid;
  }

  @Override
  public void restart() {}

  @Override
  public void close() {}
}
