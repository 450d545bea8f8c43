package dev.cairn.interop.hadoop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;

/** HDFS in this process, on ports of its own choice. */
public final class Hdfs implements AutoCloseable {
  private final MiniDFSCluster cluster;
  private final Configuration settings;

  private Hdfs(MiniDFSCluster cluster, Configuration settings) {
    this.cluster = cluster;
    this.settings = settings;
  }

  /** Starts it with one DataNode; its files go into {@code folder}. */
  public static Hdfs start(Path folder) throws IOException {
    return start(folder, 1);
  }

  /** Starts it; its files go into {@code folder}. */
  static Hdfs start(Path folder, int dataNodes) throws IOException {
    Configuration settings = new Configuration();
    settings.set("dfs.namenode.http-address", "localhost:0");
    settings.set("dfs.datanode.http.address", "localhost:0");
    settings.setBoolean("dfs.namenode.edits.noeditlogchannelflush", true);
    settings.setInt("dfs.heartbeat.interval", 1);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(settings, folder.toFile()).numDataNodes(dataNodes).build();
    return new Hdfs(cluster, settings);
  }

  /** Returns its address, without a slash at the end. */
  public String uri() {
    return "hdfs://localhost:" + cluster.getNameNodePort();
  }

  /** Returns settings for clients. */
  public Configuration settings() {
    return new Configuration(settings);
  }

  /** Returns the address of the first DataNode. */
  String dataNode() {
    return cluster.getDataNodes().get(0).getDatanodeId().getXferAddr();
  }

  /** Returns how often the first DataNode has synced a block to its disk. */
  long diskSyncs() {
    DataNode node = cluster.getDataNodes().get(0);
    try {
      Field count = DataNodeMetrics.class.getDeclaredField("fsyncCount");
      count.setAccessible(true);
      return ((MutableCounterLong) count.get(node.getMetrics())).value();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Keeps the first DataNode from talking to the NameNode until the result is closed. */
  Silence silenceDataNode() {
    DataNode silent = cluster.getDataNodes().get(0);
    silent.setHeartbeatsDisabledForTests(true);
    return () -> silent.setHeartbeatsDisabledForTests(false);
  }

  /** Sets the size of each DataNode's disk. Waits until the NameNode knows it. */
  void setCapacity(long bytes) throws IOException {
    for (DataNode node : cluster.getDataNodes()) {
      try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
        volumes.forEach(volume -> ((FsVolumeImpl) volume).setCapacityForTesting(bytes));
      }
    }
    cluster.triggerHeartbeats();
  }

  /** Has the NameNode refuse changes until {@link #leaveSafeMode}. */
  void enterSafeMode() throws IOException {
    cluster.getFileSystem().setSafeMode(SafeModeAction.ENTER);
  }

  /** Ends {@link #enterSafeMode}. */
  void leaveSafeMode() throws IOException {
    cluster.getFileSystem().setSafeMode(SafeModeAction.LEAVE);
  }

  /** Kills the first DataNode. */
  void stopDataNode() {
    cluster.stopDataNode(0);
  }

  /** Stops the first DataNode until the result is closed. The NameNode does not notice. */
  Silence withoutDataNode() {
    MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(0);
    return () -> {
      try {
        cluster.restartDataNode(stopped, true);
        cluster.waitActive();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /**
   * Keeps all DataNodes from answering for the last block of a file that is being written, until
   * the result is closed. Other blocks they serve.
   */
  Silence blockAnswersFor(String file) throws IOException {
    String block;
    try (DistributedFileSystem files =
        (DistributedFileSystem) FileSystem.newInstance(URI.create(uri()), settings)) {
      block =
          files
              .getClient()
              .getLocatedBlocks(file, 0)
              .getLastLocatedBlock()
              .getBlock()
              .getBlockName();
    }
    return blockAnswers(thread -> thread.getName().contains(block + "_"));
  }

  /** Lets the first DataNode answer nobody for data and calls, until the result is closed. */
  Silence hangDataNode() throws IOException {
    DataNode hanging = cluster.getDataNodes().get(0);
    hanging.ipcServer.stop();
    ThreadGroup group;
    try {
      Field field = DataNode.class.getDeclaredField("threadGroup");
      field.setAccessible(true);
      group = (ThreadGroup) field.get(hanging);
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
    return blockAnswers(thread -> group.parentOf(thread.getThreadGroup()));
  }

  private static Silence blockAnswers(Predicate<Thread> blocked) {
    CountDownLatch over = new CountDownLatch(1);
    DataNodeFaultInjector usual = DataNodeFaultInjector.get();
    DataNodeFaultInjector.set(
        new DataNodeFaultInjector() {
          @Override
          public void delaySendingAckToUpstream(String upstream) throws IOException {
            if (blocked.test(Thread.currentThread())) {
              try {
                over.await();
              } catch (InterruptedException e) {
                throw new IOException("The DataNode stops", e);
              }
            }
          }
        });
    return () -> {
      DataNodeFaultInjector.set(usual);
      over.countDown();
    };
  }

  /** Ends when it is closed. */
  interface Silence extends AutoCloseable {
    @Override
    void close();
  }

  @Override
  public void close() {
    cluster.shutdown();
  }
}
