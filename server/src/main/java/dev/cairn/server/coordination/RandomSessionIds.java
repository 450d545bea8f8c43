package dev.cairn.server.coordination;

import java.security.SecureRandom;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.server.SessionTracker.SessionExpirer;
import org.apache.zookeeper.server.SessionTrackerImpl;
import org.apache.zookeeper.server.ZooKeeperServerListener;

/**
 * Sessions whose ids begin at a random number with each start.
 *
 * <p>ZooKeeper itself begins at the time since the machine has booted. After a reboot, it could
 * give the id of a client's old session to another client; as the password depends on the id alone,
 * the old client would then share the new session.
 */
final class RandomSessionIds extends SessionTrackerImpl {
  /** The highest byte of each id. ZooKeeper gives other values a meaning. */
  private static final long SERVER = 1;

  private static final int SERVER_SHIFT = 56;

  private final AtomicLong next;

  RandomSessionIds(
      SessionExpirer expirer,
      ConcurrentMap<Long, Integer> restored,
      int tickMillis,
      ZooKeeperServerListener listener) {
    super(expirer, restored, tickMillis, SERVER, listener);
    long random = new SecureRandom().nextLong() >>> Long.SIZE - SERVER_SHIFT + 1;
    this.next = new AtomicLong(SERVER << SERVER_SHIFT | random);
  }

  @Override
  public long createSession(int timeoutMillis) {
    long id = next.getAndIncrement();
    while (!trackSession(id, timeoutMillis)) {
      id = next.getAndIncrement(); // A session of the folder has this id.
    }
    return id;
  }
}
