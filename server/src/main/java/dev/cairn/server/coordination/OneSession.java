package dev.cairn.server.coordination;

import java.io.IOException;
import java.util.Optional;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Testable;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Limits a client to one session with ZooKeeper, which only ZooKeeper or the owner of the client
 * ends.
 *
 * <ul>
 *   <li>After the end of a session, Curator begins a new one and repeats unfinished requests there.
 *       A server that was frozen and replaced would change znodes that belong to its successor.
 *   <li>Curator ends a session itself if the connection is lost for longer than the session's
 *       timeout. But the session may live on: a ZooKeeper that was away extends all sessions.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class OneSession implements ZookeeperFactory {
  /**
   * The timeout that Curator sees, milliseconds: the longest of which it can take 100 percent
   * without an overflow.
   */
  private static final int NEVER_MILLIS = Integer.MAX_VALUE / 100;

  private volatile boolean begun;
  private volatile boolean closing;

  /** The latest handle. Not empty once the session has begun. */
  private volatile Optional<Handle> handle = Optional.empty();

  /** Makes a handle. */
  @FunctionalInterface
  private interface Maker {
    Handle make() throws IOException;
  }

  /**
   * Records that the session has begun, and returns its handle. No other one may begin after it.
   */
  Handle begun() {
    begun = true;
    return handle.orElseThrow();
  }

  /**
   * Records that the client closes. Curator then asks for a handle to close; it gets the handle of
   * the session.
   */
  void closing() {
    closing = true;
  }

  @Override
  public ZooKeeper newZooKeeper(
      String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly)
      throws IOException {
    return handle(
        () ->
            new Handle(
                connectString, sessionTimeout, watcher, canBeReadOnly, new ZKClientConfig()));
  }

  @Override
  public ZooKeeper newZooKeeper(
      String connectString,
      int sessionTimeout,
      Watcher watcher,
      boolean canBeReadOnly,
      ZKClientConfig config)
      throws IOException {
    return handle(() -> new Handle(connectString, sessionTimeout, watcher, canBeReadOnly, config));
  }

  private ZooKeeper handle(Maker maker) throws IOException {
    if (!begun) {
      handle = Optional.of(maker.make());
    } else if (!closing && !handle.orElseThrow().getState().isAlive()) {
      throw new IOException("the session has ended");
    }
    return handle.orElseThrow();
  }

  /** The handle of a session, which Curator can neither close nor end before the client closes. */
  final class Handle extends ZooKeeper {
    private Handle(
        String connectString,
        int sessionTimeout,
        Watcher watcher,
        boolean canBeReadOnly,
        ZKClientConfig config)
        throws IOException {
      super(connectString, sessionTimeout, watcher, canBeReadOnly, config);
    }

    /** Returns the timeout to which ZooKeeper has agreed, milliseconds. */
    int timeoutMillis() {
      return super.getSessionTimeout();
    }

    /** Returns a time so long that Curator does not end the session after it. */
    @Override
    public int getSessionTimeout() {
      return NEVER_MILLIS;
    }

    /** Returns controls that do not end the session. */
    @Override
    public Testable getTestable() {
      Testable controls = super.getTestable();
      return new Testable() {
        @Override
        public void injectSessionExpiration() {}

        @Override
        public void queueEvent(WatchedEvent event) {
          controls.queueEvent(event);
        }

        @Override
        public void closeSocket() throws IOException {
          controls.closeSocket();
        }
      };
    }

    /** Keeps the watcher of a session that goes on. */
    @Override
    public synchronized void register(Watcher watcher) {
      if (!goesOn()) {
        super.register(watcher);
      }
    }

    @Override
    public synchronized void close() throws InterruptedException {
      if (!goesOn()) {
        super.close();
      }
    }

    @Override
    public boolean close(int waitForShutdownTimeoutMs) throws InterruptedException {
      return goesOn() || super.close(waitForShutdownTimeoutMs);
    }

    private boolean goesOn() {
      return begun && !closing && getState().isAlive();
    }
  }
}
