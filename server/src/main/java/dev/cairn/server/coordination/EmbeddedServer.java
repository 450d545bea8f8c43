package dev.cairn.server.coordination;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/**
 * The server behind {@link EmbeddedZooKeeper}. Tells when it cannot go on. Registers no management
 * beans: they would be one set per JVM, and cost time at start.
 */
final class EmbeddedServer extends ZooKeeperServer {
  private final Runnable failed;
  private final AtomicBoolean told = new AtomicBoolean();

  EmbeddedServer(FileTxnSnapLog log, EmbeddedZooKeeper.Service service, Runnable failed) {
    super(
        log,
        service.tickMillis(),
        service.sessionMinMillis(),
        service.sessionMaxMillis(),
        EmbeddedZooKeeper.BACKLOG,
        new ZKDatabase(log),
        "");
    this.failed = failed;
  }

  /** A thread without which nothing works sets {@link State#ERROR} as it dies. */
  @Override
  protected void setState(State state) {
    super.setState(state);
    if (state == State.ERROR && told.compareAndSet(false, true)) {
      failed.run();
    }
  }

  @Override
  protected void registerJMX() {}

  @Override
  protected void unregisterJMX() {}
}
