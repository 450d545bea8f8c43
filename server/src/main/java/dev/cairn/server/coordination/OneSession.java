package dev.cairn.server.coordination;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Testable;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Limits a client to one session with ZooKeeper, which only ZooKeeper or the owner of the client
 * ends.
 *
 * <ul>
 *   <li>After the end of a session, Curator begins a new one and repeats unfinished requests there.
 *       A server that was frozen and replaced would change znodes that belong to its successor.
 *   <li>Curator and ZooKeeper's client end a session themselves if the connection is lost for
 *       longer than the session's timeout. But the session may live on: a ZooKeeper that was away
 *       extends all sessions. So Curator gets a handle that resumes the session.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class OneSession implements ZookeeperFactory {
  /**
   * The timeout that Curator sees, milliseconds: the longest one that it can multiply by 100, for a
   * percentage, without an overflow.
   */
  private static final int NEVER_MILLIS = Integer.MAX_VALUE / 100;

  private final Runnable whenOver;
  private final Clock clock;
  private volatile boolean begun;
  private volatile boolean closing;
  private volatile boolean over;

  /** The latest handle. Not empty once the session has begun. */
  private volatile Optional<Handle> handle = Optional.empty();

  /**
   * Creates it without a session.
   *
   * @param whenOver run when ZooKeeper has ended the session, at least once; must not block
   * @param clock tells how long a handle has lived
   */
  OneSession(Runnable whenOver, Clock clock) {
    this.whenOver = whenOver;
    this.clock = clock;
  }

  /** Makes a handle. */
  @FunctionalInterface
  private interface Maker {
    /**
     * Makes a handle.
     *
     * @param dead the handle whose session it resumes; empty for a new session
     */
    Handle make(Optional<Handle> dead) throws IOException;
  }

  /**
   * Records that the session has begun, and returns its handle. No other session may begin after
   * it.
   */
  Handle begun() {
    begun = true;
    return handle.orElseThrow();
  }

  /** Returns the handle of the session, which changes after a long outage. */
  Handle current() {
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
    return newZooKeeper(
        connectString, sessionTimeout, watcher, canBeReadOnly, new ZKClientConfig());
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
        dead ->
            dead.isPresent()
                ? new Handle(
                    connectString,
                    sessionTimeout,
                    watcher,
                    dead.get().getSessionId(),
                    dead.get().getSessionPasswd(),
                    canBeReadOnly,
                    config)
                : new Handle(connectString, sessionTimeout, watcher, canBeReadOnly, config));
  }

  private ZooKeeper handle(Maker maker) throws IOException {
    if (!begun) {
      handle = Optional.of(maker.make(Optional.empty()));
    } else if (!closing && !current().getState().isAlive()) {
      if (over || current().isEndedByZooKeeper()) {
        over = true;
        whenOver.run();
        throw new IOException("the session has ended");
      }
      handle = Optional.of(maker.make(handle));
    }
    return current();
  }

  /** The handle of a session, which Curator can neither close nor end before the client closes. */
  final class Handle extends ZooKeeper {
    private final long madeNanos = clock.nanoTime();
    private final int requestedMillis;
    private final boolean resumes;

    private Handle(
        String connectString,
        int sessionTimeout,
        Watcher watcher,
        long id,
        byte[] password,
        boolean canBeReadOnly,
        ZKClientConfig config)
        throws IOException {
      super(
          connectString,
          sessionTimeout,
          watcher,
          id,
          password,
          canBeReadOnly,
          new StaticHostProvider(new ConnectStringParser(connectString).getServerAddresses()),
          config);
      this.requestedMillis = sessionTimeout;
      this.resumes = true;
    }

    private Handle(
        String connectString,
        int sessionTimeout,
        Watcher watcher,
        boolean canBeReadOnly,
        ZKClientConfig config)
        throws IOException {
      super(connectString, sessionTimeout, watcher, canBeReadOnly, config);
      this.requestedMillis = sessionTimeout;
      this.resumes = false;
    }

    /**
     * Tells whether ZooKeeper has answered that the session of this dead handle is over. Otherwise
     * the handle has died by itself, because it has not heard from ZooKeeper for longer than the
     * timeout. For a handle that resumes the session and has never been connected, only its
     * lifetime tells the two apart. This may wrongly return false; the next handle then gives the
     * right answer.
     */
    private boolean isEndedByZooKeeper() {
      long livedMillis = TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - madeNanos);
      return timeoutMillis() <= 0 && (!resumes || livedMillis < requestedMillis);
    }

    /** Returns the timeout to which ZooKeeper has agreed, milliseconds. */
    int timeoutMillis() {
      return super.getSessionTimeout();
    }

    /** Returns a timeout so long that Curator never ends the session. */
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
