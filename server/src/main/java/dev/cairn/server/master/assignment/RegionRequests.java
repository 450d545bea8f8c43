package dev.cairn.server.master.assignment;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.remote.RegionServerCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks region servers to open and to close regions. They report the outcome; a server that cannot
 * be asked, or does not report for long, is asked again while the region's state is still the same.
 * Owned by the loop.
 */
final class RegionRequests {
  private static final Logger LOG = LoggerFactory.getLogger(RegionRequests.class);

  /** After this long without a report a server is asked again. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(20);

  private final MasterLoop loop;
  private final RegionServerCalls calls;
  private final RegionStates nodes;
  private final Supplier<? extends Answers> answers;

  /** The regions that servers are asked to open at the end of this round of events. */
  private final Map<ServerName, List<RegionStateNode>> toOpen = new LinkedHashMap<>();

  /** Receives answers that no report will follow. */
  interface Answers {
    /** It is open there already. */
    void alreadyOpen(ServerName server, RegionStateNode node);

    /** It cannot be opened there. */
    void failedOpen(RegionStateNode node);

    /** It is not there any more. */
    void alreadyClosed(ServerName server, RegionStateNode node);

    /** The server stops, and has taken no order to open these. */
    void stopping(ServerName server, List<RegionStateNode> refused);
  }

  /**
   * Creates it.
   *
   * @param answers returns the receiver of answers; called when the first answer comes
   */
  RegionRequests(
      MasterLoop loop,
      RegionServerCalls calls,
      RegionStates nodes,
      Supplier<? extends Answers> answers) {
    this.loop = loop;
    this.calls = calls;
    this.nodes = nodes;
    this.answers = answers;
  }

  /** Asks, once for all regions of a server that are due in this round of events. */
  void open(RegionStateNode node) {
    List<RegionStateNode> queue =
        toOpen.computeIfAbsent(
            node.server.orElseThrow(),
            server -> {
              loop.post(() -> sendOpen(server));
              return new ArrayList<>();
            });
    queue.add(node);
  }

  private void sendOpen(ServerName server) {
    List<RegionStateNode> batch = toOpen.remove(server);
    if (batch == null) {
      return;
    }
    Map<RegionStateNode, Long> epochs = new LinkedHashMap<>();
    for (RegionStateNode node : batch) {
      if (node.state == State.OPENING && node.isAt(server)) {
        epochs.put(node, node.epoch);
      }
    }
    List<RegionStateNode> asked = List.copyOf(epochs.keySet());
    if (asked.isEmpty()) {
      return;
    }
    List<RegionServerCalls.Order> orders =
        asked.stream().map(node -> new RegionServerCalls.Order(node.region, node.epoch)).toList();
    loop.perform(
        Lane.orders(server),
        () -> calls.open(server, orders),
        openings -> {
          for (int i = 0; i < asked.size(); i++) {
            RegionStateNode node = asked.get(i);
            if (node.epoch == epochs.get(node)) {
              opening(node, server, i < openings.size() ? openings.get(i) : null);
            }
          }
        },
        cause ->
            notAsked(
                server,
                asked.stream().filter(node -> node.epoch == epochs.get(node)).toList(),
                cause));
  }

  private void notAsked(ServerName server, List<RegionStateNode> regions, IOException cause) {
    if (cause instanceof RegionServerStoppedException) {
      answers.get().stopping(server, regions);
      return;
    }
    LOG.info(
        "{} could not be asked to open {} regions, asking again: {}",
        server,
        regions.size(),
        cause.toString());
    for (RegionStateNode node : regions) {
      node.failures++;
      after(node, node.pause(), () -> open(node));
    }
  }

  private void opening(RegionStateNode node, ServerName server, RegionServerCalls.Opening answer) {
    if (answer == RegionServerCalls.Opening.ALREADY_OPEN) {
      answers.get().alreadyOpen(server, node);
    } else if (answer == RegionServerCalls.Opening.FAILED) {
      answers.get().failedOpen(node);
    } else {
      after(node, SILENCE_MAX, () -> open(node));
    }
  }

  /** Asks to close a region that is {@code CLOSING}. */
  void close(RegionStateNode node) {
    if (node.state != State.CLOSING || node.server.isEmpty()) {
      return;
    }
    ServerName server = node.server.get();
    long epoch = node.epoch;
    RegionServerCalls.Order order = new RegionServerCalls.Order(node.region, epoch);
    Optional<RegionServerCalls.Destination> destination =
        node.target()
            .filter(to -> node.wantOpen)
            .map(to -> new RegionServerCalls.Destination(to, node.isExpectedAt(to)));
    loop.perform(
        Lane.orders(server),
        () -> {
          try {
            calls.close(server, order, destination);
            return false;
          } catch (RegionOpeningException e) {
            throw e; // The server has heard that it may serve the region, and is about to.
          } catch (NotServingRegionException e) {
            return true;
          }
        },
        gone -> {
          if (node.epoch != epoch) {
            return;
          }
          if (gone) {
            answers.get().alreadyClosed(server, node);
          } else {
            after(node, SILENCE_MAX, () -> close(node));
          }
        },
        cause -> {
          if (node.epoch == epoch) {
            LOG.info(
                "{} could not be asked to close {}: {}", server, node.region, cause.toString());
            node.failures++;
            after(node, node.pause(), () -> close(node));
          }
        });
  }

  /** Asks nothing more of a server that has gone. */
  void forget(ServerName server) {
    toOpen.remove(server);
  }

  /** Runs {@code action} after {@code delay}, unless the region's state changed meanwhile. */
  void after(RegionStateNode node, Duration delay, Runnable action) {
    long epoch = node.epoch;
    loop.after(
        delay,
        () -> {
          if (node.epoch == epoch && nodes.contains(node)) {
            action.run();
          }
        });
  }
}
