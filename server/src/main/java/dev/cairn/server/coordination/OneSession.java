package dev.cairn.server.coordination;

import java.io.IOException;
import java.util.Optional;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Limits a client to one session with ZooKeeper. After the end of a session, Curator begins a new
 * one and repeats unfinished requests there. A server that was frozen and replaced would change
 * znodes that belong to its successor.
 *
 * <p>Thread-safe.
 */
final class OneSession implements ZookeeperFactory {
  private volatile boolean begun;
  private volatile boolean closing;

  /** The latest handle. Not empty once the session has begun. */
  private volatile Optional<ZooKeeper> handle = Optional.empty();

  /** Makes a handle. */
  @FunctionalInterface
  private interface Maker {
    ZooKeeper make() throws IOException;
  }

  /** Records that the session has begun. No other one may begin after it. */
  void begun() {
    begun = true;
  }

  /**
   * Records that the client closes. Curator then asks for a handle to close; it gets the handle of
   * the ended session.
   */
  void closing() {
    closing = true;
  }

  @Override
  public ZooKeeper newZooKeeper(
      String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly)
      throws IOException {
    return handle(() -> new ZooKeeper(connectString, sessionTimeout, watcher, canBeReadOnly));
  }

  @Override
  public ZooKeeper newZooKeeper(
      String connectString,
      int sessionTimeout,
      Watcher watcher,
      boolean canBeReadOnly,
      ZKClientConfig config)
      throws IOException {
    return handle(
        () -> new ZooKeeper(connectString, sessionTimeout, watcher, canBeReadOnly, config));
  }

  private ZooKeeper handle(Maker maker) throws IOException {
    if (!begun) {
      handle = Optional.of(maker.make());
    } else if (!closing) {
      throw new IOException("the session has ended");
    }
    return handle.orElseThrow();
  }
}
