package dev.cairn.server.master.members;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.remote.OnlineServers;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows in which data of ZooKeeper the region servers were registered. A registration that vanishes
 * while the data stay the same ends with its session. If the data are different, somebody has
 * deleted them, or ZooKeeper has lost them, so the session may live: the server keeps its lease
 * until it hears of that.
 *
 * <p>The master's store has the identity of the data. It changes only when no dead server is left
 * whose registration may have been in the earlier data. Owned by the loop.
 */
final class ZooKeeperData {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperData.class);
  private static final Duration RETRY = Duration.ofMillis(500);

  private final MasterLoop loop;
  private final Coordination coordination;
  private final ServerList serverList;
  private final OnlineServers servers;
  private final BooleanSupplier isRecovered;
  private final Completion stored;
  private boolean adopting;

  /**
   * Creates it.
   *
   * @param isRecovered tells whether no dead server is left
   * @param stored receives the results of writes to {@code serverList}
   */
  ZooKeeperData(
      MasterLoop loop,
      Coordination coordination,
      ServerList serverList,
      OnlineServers servers,
      BooleanSupplier isRecovered,
      Completion stored) {
    this.loop = loop;
    this.coordination = coordination;
    this.serverList = serverList;
    this.servers = servers;
    this.isRecovered = isRecovered;
    this.stored = stored;
  }

  /**
   * Tells whether registrations were made in data other than those with the identity {@code id}.
   */
  boolean isReplacedBy(String id) {
    return serverList.dataId().filter(known -> !known.equals(id)).isPresent();
  }

  /** The data, and the servers that are registered in them. */
  private record Registrations(String id, Set<ServerName> servers) {}

  /**
   * Begins to store the identity of the present data, if no dead server is left. A later call is
   * necessary if there is one.
   */
  void adopt() {
    if (adopting || !isRecovered.getAsBoolean()) {
      return;
    }
    adopting = true;
    loop.perform(
        Lane.COORDINATION,
        this::read,
        found -> {
          adopting = false;
          adopt(found);
        },
        cause -> {
          adopting = false;
          LOG.info("The identity of ZooKeeper's data is not known yet: {}", cause.toString());
          loop.after(RETRY, this::adopt);
        });
  }

  private Registrations read() throws IOException {
    String id = coordination.readDataId();
    Set<ServerName> registered = coordination.readRegionServers();
    if (!coordination.readDataId().equals(id)) {
      throw new IOException("they were deleted a moment ago");
    }
    return new Registrations(id, registered);
  }

  private void adopt(Registrations found) {
    if (serverList.dataId().equals(Optional.of(found.id()))) {
      return;
    }
    if (!found.servers().containsAll(servers.all())) {
      // This master has not heard yet that one of them is gone, or that it came.
      loop.after(RETRY, this::adopt);
    } else if (isRecovered.getAsBoolean()) {
      serverList.setDataId(found.id(), stored);
    }
  }
}
