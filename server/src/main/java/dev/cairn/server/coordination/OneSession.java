package dev.cairn.server.coordination;

import java.io.IOException;
import java.util.Optional;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Lets a client have one session with ZooKeeper. Curator begins another one when a session has
 * ended, and repeats there what it could not do. A server that slept and was replaced would change
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

  /** The session has begun: there is no other one from now on. */
  void begun() {
    begun = true;
  }

  /** The client closes. It asks for a handle to close it; that of the ended session is closed. */
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
