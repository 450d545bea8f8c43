package dev.cairn.server.hadoop;

import dev.cairn.engine.time.Clock;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates log files on DataNodes that answer. The NameNode needs minutes to notice a DataNode that
 * hangs, and places new files on it until then. So if writes to a file are not answered, its
 * DataNodes are probed. Those that do not answer get no block of a log file for a while ({@link
 * BlockRequests}).
 *
 * <p>A log continues soon after its NameNode can be reached again. New files have a connection of
 * their own ({@link PromptNameNode}), whose calls fail soon; the log tries again. The connection of
 * all other calls would deliver an answer only after the operating system has repeated its packets,
 * which it does at ever longer intervals. Thread-safe.
 */
final class LogPlacement implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LogPlacement.class);
  private static final long AVOIDED_NANOS = Duration.ofMinutes(2).toNanos();

  /** A block that no DataNode has. A DataNode that says so is alive. */
  private static final long NO_BLOCK = 0;

  private final DistributedFileSystem files;
  private final Clock clock;
  private final Executor threads;
  private final Configuration probing;
  private final boolean byHostName;

  /** The time since which each DataNode is avoided. */
  private final Map<DatanodeInfo, Long> avoided = new ConcurrentHashMap<>();

  /** Files that failed. Some may have to be deleted. */
  private final Set<Path> failed = ConcurrentHashMap.newKeySet();

  /** Files to delete, if they exist. */
  private final Set<Path> unwanted = ConcurrentHashMap.newKeySet();

  private DFSClient writing; // guarded by this; null before the first file
  private PromptNameNode prompt; // guarded by this; null before the first file

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

  /**
   * Creates a file in a directory that exists. Fails soon if the NameNode does not answer; the file
   * may still be created later.
   */
  FSDataOutputStream create(Path file) throws IOException {
    try {
      FSDataOutputStream created = begin(file);
      deleteUnwanted();
      return created;
    } catch (IOException e) {
      failed(file);
      throw e;
    }
  }

  /** Notes that a file has failed, or may not have been created. */
  void failed(Path file) {
    failed.add(file);
  }

  /**
   * Deletes a file that has {@link #failed}, on another thread, after the next file was created:
   * then the NameNode answers again. Returns false if the file has not failed.
   */
  boolean discard(Path file) {
    return failed.remove(file) && unwanted.add(file);
  }

  /** Notes that a file is not to be deleted, whether it has failed or not. */
  void keep(Path file) {
    failed.remove(file);
  }

  private void deleteUnwanted() {
    if (!unwanted.isEmpty()) {
      threads.execute(() -> List.copyOf(unwanted).forEach(this::deleteNow));
    }
  }

  private void deleteNow(Path file) {
    try {
      client().delete(file.toUri().getPath(), false);
      unwanted.remove(file);
    } catch (IOException e) {
      LOG.debug("{} cannot be deleted now: {}", file, e.toString());
    }
  }

  private FSDataOutputStream begin(Path file) throws IOException {
    DFSOutputStream out =
        client()
            .create(
                file.toUri().getPath(),
                FsPermission.getFileDefault(),
                // Not striped, even if the directory's policy is: striped files have no hflush.
                EnumSet.of(CreateFlag.CREATE, CreateFlag.SHOULD_REPLICATE),
                false,
                files.getDefaultReplication(file),
                files.getDefaultBlockSize(file),
                null,
                HadoopStorage.bufferBytes(files),
                null);
    return files.getClient().createWrappedOutputStream(out, null);
  }

  /** Returns a client that shares the connection of {@link #files}, except for new files. */
  private synchronized DFSClient client() throws IOException {
    if (writing == null) {
      prompt = PromptNameNode.connect(files);
      ClientProtocol nameNode =
          (ClientProtocol)
              Proxy.newProxyInstance(
                  ClientProtocol.class.getClassLoader(),
                  new Class<?>[] {ClientProtocol.class},
                  new BlockRequests(
                      files.getClient().getNamenode(), prompt.calls(), this::avoided));
      writing =
          new DFSClient(
              null, nameNode, files.getConf(), new FileSystem.Statistics(files.getScheme()));
    }
    return writing;
  }

  private Set<DatanodeInfo> avoided() {
    avoided.values().removeIf(since -> clock.nanoTime() - since > AVOIDED_NANOS);
    return Set.copyOf(avoided.keySet());
  }

  /**
   * Probes the DataNodes of a file, and from then on avoids those that do not answer in time.
   * Returns at once.
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
      avoided.put(node, clock.nanoTime());
    } finally {
      if (asked != null) {
        RPC.stopProxy(asked);
      }
    }
  }

  /** Closes the files that are still open. The file system must not be closed before. */
  @Override
  public synchronized void close() throws IOException {
    if (writing != null) {
      writing.close();
      prompt.close();
    }
  }
}
