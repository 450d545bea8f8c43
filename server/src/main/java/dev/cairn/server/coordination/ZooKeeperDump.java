package dev.cairn.server.coordination;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.common.X509Exception.SSLContextException;

/** Prints a cluster's znodes and the statistics of its quorum's servers, as lines for people. */
public final class ZooKeeperDump {
  private final ZooKeeper client;
  private final Znodes znodes;
  private final List<String> lines = new ArrayList<>();

  private ZooKeeperDump(ZooKeeper client, Znodes znodes) {
    this.client = client;
    this.znodes = znodes;
  }

  /**
   * Reads a cluster's znodes and the statistics of each server of the quorum. Blocks.
   *
   * @param quorum {@code host:port,host:port}
   * @param parent the parent of all znodes, by default {@code /hbase}
   * @param timeoutMillis how long to wait for the quorum, and for each of its servers
   * @return the lines, as HBase's {@code zk_dump} prints them
   * @throws IOException naming the quorum and the answers of its servers, if it cannot be reached
   * @throws InterruptedIOException if the thread is interrupted
   */
  public static List<String> lines(String quorum, String parent, int timeoutMillis)
      throws IOException {
    Znodes znodes = new Znodes(parent);
    CountDownLatch connected = new CountDownLatch(1);
    try (ZooKeeper client =
        new ZooKeeper(
            quorum,
            timeoutMillis,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            },
            new QuickClientConfig())) {
      if (!connected.await(timeoutMillis, TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "No server of the ZooKeeper quorum "
                + quorum
                + " answers: "
                + QuorumProbe.explain(quorum));
      }
      ZooKeeperDump dump = new ZooKeeperDump(client, znodes);
      dump.znodes(parent);
      dump.quorum(quorum, timeoutMillis);
      return dump.lines;
    } catch (KeeperException e) {
      throw new IOException("The quorum " + quorum + " refuses to tell: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("Interrupted").initCause(e);
    }
  }

  private void znodes(String parent) throws KeeperException, InterruptedException {
    lines.add("HBase is rooted at " + parent);
    lines.add("Active master address:");
    read(znodes.master())
        .flatMap(bytes -> ZnodeMessages.parseMaster(znodes.master(), bytes))
        .ifPresent(server -> lines.add(" " + server));
    lines.add("Backup master addresses:");
    children(znodes.backupMasters()).forEach(name -> lines.add(" " + name));
    lines.add("Region server holding hbase:meta:");
    read(znodes.metaLocation())
        .flatMap(bytes -> ZnodeMessages.parseMetaLocation(znodes.metaLocation(), bytes))
        .ifPresent(server -> lines.add(" " + server));
    lines.add("Region servers:");
    children(znodes.regionServers()).forEach(name -> lines.add(" " + name));
  }

  private Optional<byte[]> read(String znode) throws KeeperException, InterruptedException {
    try {
      return Optional.ofNullable(client.getData(znode, false, null));
    } catch (KeeperException.NoNodeException e) {
      return Optional.empty();
    }
  }

  private List<String> children(String znode) throws KeeperException, InterruptedException {
    try {
      return client.getChildren(znode, false).stream().sorted().toList();
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    }
  }

  private void quorum(String quorum, int timeoutMillis) {
    lines.add("Quorum Server Statistics:");
    for (InetSocketAddress server : new ConnectStringParser(quorum).getServerAddresses()) {
      lines.add(" " + server.getHostString() + ":" + server.getPort());
      try {
        FourLetterWordMain.send4LetterWord(
                server.getHostString(), server.getPort(), "stat", false, timeoutMillis)
            .lines()
            .forEach(line -> lines.add("  " + line));
      } catch (IOException | SSLContextException e) {
        lines.add("  does not answer: " + e.getMessage());
      }
    }
  }
}
