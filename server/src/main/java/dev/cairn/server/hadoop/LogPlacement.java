package dev.cairn.server.hadoop;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates log files on DataNodes that answer. The NameNode needs minutes to notice a DataNode that
 * hangs, and places new files on it until then. So if a file does not answer, its DataNodes are
 * probed. Those that do not answer get no new log file for a while. Thread-safe.
 */
final class LogPlacement {
  private static final Logger LOG = LoggerFactory.getLogger(LogPlacement.class);
  private static final long AVOIDED_NANOS = Duration.ofMinutes(2).toNanos();

  /** A block that no DataNode has. A DataNode that says so is alive. */
  private static final long NO_BLOCK = 0;

  private final DistributedFileSystem files;
  private final Clock clock;
  private final Executor threads;
  private final Configuration probing;
  private final boolean byHostName;

  /** Since when each DataNode is avoided, by its address for data. */
  private final Map<String, Long> avoided = new ConcurrentHashMap<>();

  LogPlacement(DistributedFileSystem files, Clock clock, Executor threads) {
    this.files = files;
    this.clock = clock;
    this.threads = threads;
    this.probing = new Configuration(files.getConf());
    probing.setInt("ipc.client.connect.max.retries", 0);
    probing.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    this.byHostName =
        probing.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
  }

  /** Creates a file in a directory that exists. */
  FSDataOutputStream create(Path file) throws IOException {
    // Not striped, whatever the directory says: striped files have no hflush.
    DistributedFileSystem.HdfsDataOutputStreamBuilder builder =
        files.createFile(file).overwrite(false).replicate();
    avoided.values().removeIf(since -> clock.nanoTime() - since > AVOIDED_NANOS);
    if (!avoided.isEmpty()) {
      List<InetSocketAddress> others = others();
      if (!others.isEmpty()) {
        int copies = Math.min(files.getDefaultReplication(file), others.size());
        builder
            .replication((short) copies)
            .favoredNodes(others.subList(0, copies).toArray(InetSocketAddress[]::new));
      }
    }
    return builder.build();
  }

  /** Returns the addresses of all live DataNodes that are not avoided, in a random order. */
  private List<InetSocketAddress> others() throws IOException {
    List<InetSocketAddress> others = new ArrayList<>();
    for (DatanodeInfo node : files.getDataNodeStats(DatanodeReportType.LIVE)) {
      if (!avoided.containsKey(node.getXferAddr())) {
        others.add(new InetSocketAddress(node.getIpAddr(), node.getXferPort()));
      }
    }
    Collections.shuffle(others);
    return others;
  }

  /**
   * Probes the DataNodes of a file. Avoids those that do not answer in time from then on. Returns
   * at once.
   */
  void probe(FSDataOutputStream file, Duration patience) {
    if (!(file.getWrappedStream() instanceof DFSOutputStream written)) {
      return;
    }
    threads.execute(
        () -> {
          DatanodeInfo[] pipeline = pipeline(written);
          for (DatanodeInfo node : pipeline) {
            threads.execute(() -> probe(node, (int) patience.toMillis()));
          }
        });
  }

  private static DatanodeInfo[] pipeline(DFSOutputStream file) {
    DatanodeInfo[] pipeline = file.getPipeline();
    return pipeline == null ? new DatanodeInfo[0] : pipeline;
  }

  private void probe(DatanodeInfo node, int patienceMillis) {
    ClientDatanodeProtocol asked = null;
    try {
      asked =
          DFSUtilClient.createClientDatanodeProtocolProxy(
              node, probing, patienceMillis, byHostName);
      asked.getReplicaVisibleLength(new ExtendedBlock("probe", NO_BLOCK));
    } catch (RemoteException e) {
      return; // An error is an answer.
    } catch (IOException e) {
      LOG.warn(
          "The DataNode {} does not answer; log files avoid it for {} ms: {}",
          node.getXferAddr(),
          Duration.ofNanos(AVOIDED_NANOS).toMillis(),
          e.getMessage());
      avoided.put(node.getXferAddr(), clock.nanoTime());
    } finally {
      if (asked != null) {
        RPC.stopProxy(asked);
      }
    }
  }
}
