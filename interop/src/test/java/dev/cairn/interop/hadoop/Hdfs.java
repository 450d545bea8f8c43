package dev.cairn.interop.hadoop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * HDFS in this process, on free ports. It has a superuser of its own. The user of this process is
 * an ordinary user there, who owns one directory.
 */
public final class Hdfs implements AutoCloseable {
  private static final String HOME = "/home";
  private static final UserGroupInformation SUPERUSER =
      UserGroupInformation.createRemoteUser("hdfs-superuser");

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
    Hdfs hdfs =
        new Hdfs(
            asSuperuser(
                () ->
                    new MiniDFSCluster.Builder(settings, folder.toFile())
                        .numDataNodes(dataNodes)
                        .build()),
            settings);
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    hdfs.change(
        files -> {
          org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path(HOME);
          files.mkdirs(home);
          files.setOwner(home, user.getShortUserName(), user.getPrimaryGroupName());
        });
    return hdfs;
  }

  /** Returns the URL of the directory that this process's user owns, without a slash at the end. */
  public String home() {
    return "hdfs://localhost:" + cluster.getNameNodePort() + HOME;
  }

  /** A change that only the superuser may make. */
  public interface Change {
    /** Makes the change. */
    void make(DistributedFileSystem files) throws IOException;
  }

  /** Makes a change as the superuser. */
  public void change(Change change) throws IOException {
    asSuperuser(
        () -> {
          try (DistributedFileSystem files =
              (DistributedFileSystem) FileSystem.newInstance(URI.create(home()), settings)) {
            change.make(files);
          }
          return null;
        });
  }

  private static <T> T asSuperuser(PrivilegedExceptionAction<T> action) throws IOException {
    try {
      return SUPERUSER.doAs(action);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
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
    change(files -> files.setSafeMode(SafeModeAction.ENTER));
  }

  /** Ends {@link #enterSafeMode}. */
  void leaveSafeMode() throws IOException {
    change(files -> files.setSafeMode(SafeModeAction.LEAVE));
  }

  /** Stops the first DataNode until the result is closed. The NameNode does not notice. */
  Silence withoutDataNode() {
    MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(0);
    return () -> start(stopped);
  }

  /** Restarts a DataNode, as it needs after {@link #hangDataNode}. */
  void restartDataNode(String address) {
    start(cluster.stopDataNode(address));
  }

  private void start(MiniDFSCluster.DataNodeProperties stopped) {
    try {
      asSuperuser(
          () -> {
            cluster.restartDataNode(stopped, true);
            cluster.waitActive();
            return null;
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Keeps all DataNodes from answering for the last block of a file that is being written, until
   * the result is closed. Other blocks they serve.
   */
  Silence blockAnswersFor(String url) throws IOException {
    String block = lastBlock(url).getBlock().getBlockName();
    return blockAnswers(thread -> thread.getName().contains(block + "_"));
  }

  /** Returns the addresses of the DataNodes that have the last block of a file. */
  List<String> dataNodes(String url) throws IOException {
    return Arrays.stream((DatanodeInfo[]) lastBlock(url).getLocations())
        .map(DatanodeInfo::getXferAddr)
        .toList();
  }

  private LocatedBlock lastBlock(String url) throws IOException {
    URI file = URI.create(url);
    try (DistributedFileSystem files =
        (DistributedFileSystem) FileSystem.newInstance(file, settings)) {
      return files.getClient().getLocatedBlocks(file.getPath(), 0).getLastLocatedBlock();
    }
  }

  /**
   * Makes a DataNode hang: it transfers no data until the result is closed, and never answers calls
   * again.
   *
   * @param address its address for data
   */
  Silence hangDataNode(String address) throws IOException {
    DataNode hanging =
        cluster.getDataNodes().stream()
            .filter(node -> node.getDatanodeId().getXferAddr().equals(address))
            .findFirst()
            .orElseThrow();
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
