package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.members.ServerManager;
import dev.cairn.server.master.remote.RegionServerCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the server that has {@code hbase:meta} open when a master begins to lead. Asks the region
 * servers, because the znode with the location may be missing or wrong: a replaced master may have
 * written it. Asks the server that the znode names first. If no server has {@code hbase:meta} open,
 * it may be opened once all its entries in the logs of dead servers are recovered. Waits for each
 * server until it answers or dies. Owned by the loop.
 */
final class MetaSearch {
  private static final Logger LOG = LoggerFactory.getLogger(MetaSearch.class);
  private static final Duration PAUSE_MIN = Duration.ofMillis(2);
  private static final Duration PAUSE_MAX = Duration.ofMillis(100);

  private final MasterLoop loop;
  private final Coordination coordination;
  private final ServerManager members;
  private final RegionServerCalls calls;
  private final Consumer<Optional<ServerName>> found;
  private Duration pause = PAUSE_MIN;
  private String waitsFor = "";

  /**
   * Creates a search; {@link #begin} starts it.
   *
   * @param members must know the dead servers that have left logs
   * @param found receives the live server that has {@code hbase:meta} open; empty if it may be
   *     opened anywhere. Called once
   */
  MetaSearch(
      MasterLoop loop,
      Coordination coordination,
      ServerManager members,
      RegionServerCalls calls,
      Consumer<Optional<ServerName>> found) {
    this.loop = loop;
    this.coordination = coordination;
    this.members = members;
    this.calls = calls;
    this.found = found;
  }

  /** Begins to search. */
  void begin() {
    Optional<ServerName> likely = coordination.state().metaLocation();
    // A server that registers later cannot have it open: only this master gives orders.
    List<ServerName> live =
        members.live().all().stream()
            .sorted(Comparator.comparing(server -> !likely.equals(Optional.of(server))))
            .toList();
    loop.perform(
        Lane.REQUESTS,
        () -> ask(live),
        server -> answered(server, likely),
        cause -> again("It is not known yet whether hbase:meta is open: " + cause));
  }

  private Optional<ServerName> ask(List<ServerName> servers) throws IOException {
    Optional<IOException> failure = Optional.empty();
    for (ServerName server : servers) {
      try {
        if (calls.online(server).contains(RegionInfo.META)) {
          return Optional.of(server);
        }
      } catch (IOException e) {
        failure = Optional.of(e);
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    return Optional.empty();
  }

  private void answered(Optional<ServerName> server, Optional<ServerName> likely) {
    if (server.isPresent() && !members.live().isLive(server.get())) {
      again(server.get() + " had hbase:meta open and has died");
    } else if (server.isEmpty() && !members.mayOpenMeta(likely)) {
      again("hbase:meta waits for the recovery of its log");
    } else {
      found.accept(server);
    }
  }

  private void again(String reason) {
    if (!reason.equals(waitsFor)) {
      waitsFor = reason;
      LOG.info("{}; trying again", reason);
    }
    loop.after(pause, this::begin);
    pause = pause.compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
  }
}
