package dev.cairn.server.coordination;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.server.ClientCnxnLimitException;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server behind {@link EmbeddedZooKeeper}. Begins each start with a new {@link ZxidEpoch}, and
 * ends the sessions of clients that have seen another history than its own. Reports when it cannot
 * go on. Registers no management beans: they would be one set per JVM, and cost time at start.
 */
final class EmbeddedServer extends ZooKeeperServer {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServer.class);

  /** Differs in length from the password of every session. */
  private static final byte[] WRONG_PASSWORD = new byte[0];

  private final ZooKeeperFolder folder;
  private final Clock clock;
  private final Runnable failed;
  private final AtomicBoolean told = new AtomicBoolean();
  private volatile ZxidEpoch epoch = new ZxidEpoch(0, 0);

  EmbeddedServer(
      FileTxnSnapLog log,
      ZooKeeperFolder folder,
      EmbeddedZooKeeper.Service service,
      Clock clock,
      Runnable failed) {
    super(
        log,
        service.tickMillis(),
        service.sessionMinMillis(),
        service.sessionMaxMillis(),
        EmbeddedZooKeeper.BACKLOG,
        new ZKDatabase(log),
        "");
    this.folder = folder;
    this.clock = clock;
    this.failed = failed;
  }

  @Override
  public void loadData() throws IOException, InterruptedException {
    ZKDatabase database = getZKDatabase();
    long restored = Math.max(0, database.loadDataBase());
    epoch = ZxidEpoch.begin(restored, folder.highestZxid(), clock.currentTimeMillis());
    // As the leader of a quorum does. The snapshot of this start is named after this zxid.
    database.setlastProcessedZxid(epoch.first());
    super.loadData();
  }

  /**
   * Ends the session of a client that has seen transactions which this server's folder lacks: the
   * folder was emptied, restored or replaced. ZooKeeper itself would let the client try for ever,
   * or go on with a session and with watches that are out of date.
   */
  @Override
  public void processConnectRequest(ServerCnxn connection, ConnectRequest request)
      throws IOException, ClientCnxnLimitException {
    long session = request.getSessionId();
    if (!epoch.knows(request.getLastZxidSeen(), getLastProcessedZxid())) {
      LOG.info(
          "Ending session 0x{} of {}: the client has seen transaction 0x{}, which is not in this"
              + " server's folder",
          Long.toHexString(session),
          connection.getRemoteSocketAddress(),
          Long.toHexString(request.getLastZxidSeen()));
      if (session != 0) {
        if (checkPasswd(session, request.getPasswd())
            && getSessionTracker().isTrackingSession(session)) {
          closeSession(session);
        }
        request.setPasswd(WRONG_PASSWORD); // ZooKeeper answers that the session has expired.
      }
      request.setLastZxidSeen(0);
    }
    super.processConnectRequest(connection, request);
  }

  @Override
  protected void createSessionTracker() {
    sessionTracker =
        new RandomSessionIds(
            this,
            getZKDatabase().getSessionWithTimeOuts(),
            getTickTime(),
            getZooKeeperServerListener());
  }

  /** A critical thread sets {@link State#ERROR} when it dies. */
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
