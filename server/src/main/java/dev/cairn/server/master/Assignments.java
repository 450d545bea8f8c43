package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.MasterLoop.Completion;
import dev.cairn.server.master.MasterLoop.Lane;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings every region to where it shall be, and keeps it there.
 *
 * <p>Each region has a goal, open or closed. {@link #drive} looks at goal and state and takes the
 * one next action; every event (a report, a server that came or went, a write that is done) drives
 * again. Nothing about a goal is stored: it follows from the state of the table in {@code
 * hbase:meta}. So nothing can get stuck: what failed is tried again after a pause, what is not
 * answered is asked again, and both may be repeated.
 *
 * <p>A region is open at one server at most: before a server is asked to open it, {@code
 * hbase:meta} says {@code OPENING} with that server's name, and only that server's death, failure
 * or report ends that state. Owned by the loop.
 */
final class Assignments {
  private static final Logger LOG = LoggerFactory.getLogger(Assignments.class);
  private static final Duration RETRY_MIN = Duration.ofMillis(100);
  private static final Duration RETRY_MAX = Duration.ofSeconds(30);

  /** After this long without a report a server is asked again. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(20);

  private final MasterLoop loop;
  private final Clock clock;
  private final CatalogWriter catalog;
  private final LiveServers servers;
  private final RegionServerCalls calls;
  private final MetaPublisher publisher;
  private final ToIntFunction<TableName> replicas;
  private final Map<String, RegionNode> nodes = new HashMap<>();
  private final Map<TableName, Map<String, RegionNode>> byTable = new TreeMap<>();
  private final Map<ServerName, Integer> hosted = new HashMap<>();
  private final Map<ServerName, List<RegionNode>> toOpen = new LinkedHashMap<>();
  private final RegionNode meta;

  /** Tells clients where {@code hbase:meta} is; waits. */
  @FunctionalInterface
  interface MetaPublisher {
    void publish(ServerName server) throws IOException;
  }

  /**
   * Creates it without regions but {@code hbase:meta}'s.
   *
   * @param replicas how many replicas each region of a table has, itself counted
   */
  Assignments(
      MasterLoop loop,
      Clock clock,
      CatalogWriter catalog,
      LiveServers servers,
      RegionServerCalls calls,
      MetaPublisher publisher,
      ToIntFunction<TableName> replicas) {
    this.loop = loop;
    this.clock = clock;
    this.catalog = catalog;
    this.servers = servers;
    this.calls = calls;
    this.publisher = publisher;
    this.replicas = replicas;
    this.meta = load(RegionInfo.META, State.OFFLINE, Optional.empty(), -1);
  }

  /** Takes a region as it was read at start, or a new one, without a goal. */
  RegionNode load(RegionInfo region, State state, Optional<ServerName> server, long openSequence) {
    RegionNode old = nodes.get(region.encodedName());
    if (old != null) {
      return old;
    }
    RegionNode node = new RegionNode(region, State.CLOSED, Optional.empty(), openSequence);
    nodes.put(region.encodedName(), node);
    byTable
        .computeIfAbsent(region.table(), table -> new LinkedHashMap<>())
        .put(region.encodedName(), node);
    change(node, state, server);
    return node;
  }

  /** Forgets a region that the catalog no longer has. */
  void remove(RegionInfo region) {
    RegionNode node = nodes.remove(region.encodedName());
    if (node != null) {
      change(node, State.CLOSED, Optional.empty());
      Map<String, RegionNode> table = byTable.get(region.table());
      table.remove(region.encodedName());
      if (table.isEmpty()) {
        byTable.remove(region.table());
      }
    }
  }

  Optional<RegionNode> find(String encodedName) {
    return Optional.ofNullable(nodes.get(encodedName));
  }

  Collection<RegionNode> of(TableName table) {
    return byTable.getOrDefault(table, Map.of()).values();
  }

  List<RegionInfo> regionsOf(TableName table) {
    return of(table).stream().map(node -> node.region).toList();
  }

  Collection<RegionNode> all() {
    return nodes.values();
  }

  Optional<ServerName> metaLocation() {
    return meta.state == State.OPEN ? meta.server : Optional.empty();
  }

  int hostedBy(ServerName server) {
    return hosted.getOrDefault(server, 0);
  }

  /** Wants {@code hbase:meta} open, at {@code likely} if that server lives; it may have it. */
  void openMeta(Optional<ServerName> likely, Completion completion) {
    meta.wantOpen = true;
    meta.whenSettled(completion::done);
    if (likely.filter(servers::isLive).isPresent()) {
      change(meta, State.OPENING, likely);
      queueOpen(meta);
    } else {
      drive(meta);
    }
  }

  /** Wants the table's regions open or closed; completes once all are. */
  void want(TableName table, boolean open, Completion completion) {
    each(of(table), node -> node.wantOpen = open, completion);
  }

  /** Wants the table's regions closed and opened again; completes once all are. */
  void reopen(TableName table, Completion completion) {
    each(of(table), node -> node.reopen = node.wantOpen, completion);
  }

  /** Wants regions open or closed; completes once all are. */
  void want(List<RegionNode> regions, boolean open, Completion completion) {
    each(regions, node -> node.wantOpen = open, completion);
  }

  /** Wants one region open or closed; completes once it is. */
  void want(RegionNode node, boolean open, Completion completion) {
    each(List.of(node), one -> one.wantOpen = open, completion);
  }

  /** Wants an open region at another server; completes once it is open, there or elsewhere. */
  void move(RegionNode node, ServerName target, Completion completion) {
    each(List.of(node), one -> one.target = Optional.of(target), completion);
  }

  private void each(
      Collection<RegionNode> wanted, Consumer<RegionNode> change, Completion completion) {
    if (wanted.isEmpty()) {
      completion.done();
      return;
    }
    int[] left = {wanted.size()};
    for (RegionNode node : List.copyOf(wanted)) {
      change.accept(node);
      node.whenSettled(
          () -> {
            if (--left[0] == 0) {
              completion.done();
            }
          });
      drive(node);
    }
  }

  /** Asks again what a master before this one may have asked. */
  void resume(RegionNode node) {
    if (node.state == State.OPENING) {
      queueOpen(node);
    } else if (node.state == State.CLOSING) {
      sendClose(node);
    }
  }

  /** Takes the next action for every region. */
  void driveAll() {
    List.copyOf(nodes.values()).forEach(this::drive);
  }

  /** Takes the next action for one region, if there is one to take now. */
  void drive(RegionNode node) {
    if (node.writing || nodes.get(node.region.encodedName()) != node) {
      return;
    }
    switch (node.state) {
      case OPEN -> {
        if (node.target.isPresent()
            && (node.isAt(node.target.get()) || !servers.isLive(node.target.get()))) {
          node.target = Optional.empty();
        }
        if (!node.wantOpen || node.reopen || node.target.isPresent()) {
          beginClose(node);
        }
      }
      case OFFLINE, CLOSED -> {
        node.reopen = false;
        if (node.wantOpen) {
          beginOpen(node);
        } else {
          node.target = Optional.empty();
          if (node.state == State.OFFLINE) {
            write(node, State.CLOSED, node.server, () -> {});
          }
        }
      }
      default -> {
        // OPENING and CLOSING wait for a report, FAILED_OPEN for its pause to end,
        // ABNORMALLY_CLOSED for the recovery of the log.
      }
    }
    if (node.isSettled()) {
      node.runSettled();
    }
  }

  private void beginOpen(RegionNode node) {
    Optional<ServerName> server = choose(node);
    if (server.isEmpty()) {
      return; // The next server that comes drives again.
    }
    node.target = Optional.empty();
    write(node, State.OPENING, server, () -> queueOpen(node));
  }

  private Optional<ServerName> choose(RegionNode node) {
    if (node.target.isPresent() && servers.isLive(node.target.get())) {
      return node.target;
    }
    // Where it was is best, for what is cached there; after a failure anywhere else is better.
    if (node.failures == 0 && node.server.isPresent() && servers.isLive(node.server.get())) {
      return node.server;
    }
    boolean elsewhere = node.failures > 0 && servers.all().size() > 1;
    ServerName best = null;
    for (ServerName server : servers.all()) {
      if (elsewhere && node.isAt(server)) {
        continue;
      }
      if (best == null || hostedBy(server) < hostedBy(best)) {
        best = server;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Asks once for all regions of a server that are due in this round of events. */
  private void queueOpen(RegionNode node) {
    List<RegionNode> queue =
        toOpen.computeIfAbsent(
            node.server.orElseThrow(),
            server -> {
              loop.post(() -> sendOpen(server));
              return new ArrayList<>();
            });
    queue.add(node);
  }

  private void sendOpen(ServerName server) {
    List<RegionNode> batch = toOpen.remove(server);
    if (batch == null) {
      return;
    }
    Map<RegionNode, Long> epochs = new LinkedHashMap<>();
    for (RegionNode node : batch) {
      if (node.state == State.OPENING && node.isAt(server)) {
        epochs.put(node, node.epoch);
      }
    }
    List<RegionNode> asked = List.copyOf(epochs.keySet());
    if (asked.isEmpty()) {
      return;
    }
    loop.perform(
        Lane.WORK,
        () -> calls.open(server, asked.stream().map(node -> node.region).toList()),
        answers -> {
          for (int i = 0; i < asked.size(); i++) {
            RegionNode node = asked.get(i);
            if (node.epoch == epochs.get(node)) {
              opening(node, server, i < answers.size() ? answers.get(i) : null);
            }
          }
        },
        cause -> {
          LOG.info(
              "{} could not be asked to open {} regions, asking again: {}",
              server,
              asked.size(),
              cause.toString());
          for (RegionNode node : asked) {
            if (node.epoch == epochs.get(node)) {
              node.failures++;
              again(node, pause(node), () -> queueOpen(node));
            }
          }
        });
  }

  private void opening(RegionNode node, ServerName server, RegionServerCalls.Opening answer) {
    if (answer == RegionServerCalls.Opening.ALREADY_OPEN) {
      opened(server, node.region, Math.max(1, node.openSequence), Completion.of(() -> {}, e -> {}));
    } else if (answer == RegionServerCalls.Opening.FAILED) {
      failedOpen(node);
    } else {
      again(node, SILENCE_MAX, () -> queueOpen(node));
    }
  }

  /** A server reports that a region is open there; completes once clients may be sent there. */
  void opened(ServerName server, RegionInfo region, long sequence, Completion completion) {
    RegionNode node = nodes.get(region.encodedName());
    if (node == null || !node.isAt(server) || !servers.isLive(server)) {
      completion.failed(
          new IOException(
              "The master did not ask " + server + " to open " + region.regionNameAsString()));
      return;
    }
    if (node.state == State.OPEN) {
      completion.done();
      return;
    }
    if (node.isPublishing()) {
      node.whenPublished(completion); // The same report once more.
      return;
    }
    if (node.state != State.OPENING || node.writing) {
      completion.failed(
          new IOException(
              region.regionNameAsString() + " is " + node.state + " and not to be opened"));
      return;
    }
    node.openSequence = sequence;
    node.writing = true;
    node.whenPublished(completion);
    long epoch = ++node.epoch;
    Runnable written =
        () -> {
          if (node.epoch == epoch) {
            node.writing = false;
            node.failures = 0;
            change(node, State.OPEN, node.server);
            if (node == meta) {
              catalog.setOpen(true);
            }
            LOG.info("{} is open at {}", region, server);
            node.published();
            drive(node);
          }
        };
    if (node == meta) {
      publish(server, epoch, written);
    } else {
      int copies = replicas.applyAsInt(region.table());
      catalog.write(
          List.of(new CatalogChange.RegionOpened(node.region, server, sequence, copies)), written);
    }
  }

  private void publish(ServerName server, long epoch, Runnable done) {
    loop.perform(
        Lane.WORK,
        () -> publisher.publish(server),
        Completion.of(
            done,
            cause -> {
              LOG.warn("The location of hbase:meta could not be published: {}", cause.toString());
              if (meta.epoch == epoch) {
                meta.writing = false;
                meta.notPublished(cause);
                again(meta, RETRY_MIN, () -> queueOpen(meta));
              }
            }));
  }

  /** A server reports that it could not open a region. */
  void failedOpen(ServerName server, RegionInfo region) {
    RegionNode node = nodes.get(region.encodedName());
    if (node != null && node.state == State.OPENING && node.isAt(server) && !node.writing) {
      failedOpen(node);
    }
  }

  private void failedOpen(RegionNode node) {
    node.failures++;
    Duration pause = pause(node);
    LOG.warn(
        "{} could not be opened at {}; trying again in {} ms",
        node.region,
        node.server.map(ServerName::toString).orElse("?"),
        pause.toMillis());
    change(node, State.FAILED_OPEN, node.server);
    again(
        node,
        pause,
        () -> {
          change(node, State.OFFLINE, node.server);
          drive(node);
        });
  }

  private void beginClose(RegionNode node) {
    if (node == meta) {
      node.reopen = false;
      node.target = Optional.empty();
      return; // It is never closed but by its server's end.
    }
    write(node, State.CLOSING, node.server, () -> sendClose(node));
  }

  private void sendClose(RegionNode node) {
    if (node.state != State.CLOSING || node.server.isEmpty()) {
      return;
    }
    ServerName server = node.server.get();
    long epoch = node.epoch;
    loop.perform(
        Lane.WORK,
        () -> {
          try {
            calls.close(server, node.region);
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
            closed(server, node.region, Completion.of(() -> {}, e -> {}));
          } else {
            again(node, SILENCE_MAX, () -> sendClose(node));
          }
        },
        cause -> {
          if (node.epoch == epoch) {
            LOG.info(
                "{} could not be asked to close {}: {}", server, node.region, cause.toString());
            node.failures++;
            again(node, pause(node), () -> sendClose(node));
          }
        });
  }

  /** A server reports that a region is closed there. */
  void closed(ServerName server, RegionInfo region, Completion completion) {
    RegionNode node = nodes.get(region.encodedName());
    if (node == null || !node.isAt(server) || !node.isHosted() || node.writing) {
      completion.done(); // It is known already, or nobody's concern.
      return;
    }
    node.failures = 0;
    if (node == meta) {
      catalog.setOpen(false);
      change(node, State.CLOSED, node.server);
      completion.done();
      drive(node);
    } else {
      write(node, State.CLOSED, node.server, completion::done);
    }
  }

  /** A server is gone. Its regions wait until its log is recovered. */
  void serverGone(ServerName server) {
    toOpen.remove(server);
    for (RegionNode node : nodes.values()) {
      if (node.isAt(server) && (node.isHosted() || node.state == State.FAILED_OPEN)) {
        if (node == meta) {
          catalog.setOpen(false);
        }
        node.writing = false;
        node.notPublished(new IOException("The master gave " + server + " up"));
        change(node, State.ABNORMALLY_CLOSED, node.server);
      }
    }
    hosted.remove(server);
  }

  /** A dead server's log is recovered: its regions may be opened elsewhere. */
  void serverRecovered(ServerName server) {
    for (RegionNode node : List.copyOf(nodes.values())) {
      if (node.state == State.ABNORMALLY_CLOSED && node.isAt(server)) {
        change(node, State.OFFLINE, node.server);
        drive(node);
      }
    }
  }

  private void write(
      RegionNode node, State state, Optional<ServerName> server, Runnable afterwards) {
    change(node, state, server);
    if (node == meta || server.isEmpty()) {
      // hbase:meta does not list itself; a region that never was anywhere is closed as it is.
      afterwards.run();
      if (node.isSettled()) {
        node.runSettled();
      }
      return;
    }
    node.writing = true;
    long epoch = node.epoch;
    catalog.write(
        List.of(new CatalogChange.SetRegionState(node.region, state, server.get())),
        () -> {
          // Else the server has gone meanwhile, and with it the reason for what comes next.
          if (node.epoch == epoch) {
            node.writing = false;
            afterwards.run();
            drive(node);
          }
        });
  }

  private void change(RegionNode node, State state, Optional<ServerName> server) {
    if (node.isHosted()) {
      node.server.ifPresent(old -> hosted.merge(old, -1, Integer::sum));
    }
    node.state = state;
    node.server = server;
    node.epoch++;
    node.changedMillis = clock.currentTimeMillis();
    if (node.isHosted()) {
      server.ifPresent(now -> hosted.merge(now, 1, Integer::sum));
    }
  }

  /** Runs {@code action} after {@code delay}, unless the region's state changed meanwhile. */
  private void again(RegionNode node, Duration delay, Runnable action) {
    long epoch = node.epoch;
    loop.after(
        delay,
        () -> {
          if (node.epoch == epoch && nodes.get(node.region.encodedName()) == node) {
            action.run();
          }
        });
  }

  private static Duration pause(RegionNode node) {
    Duration pause = RETRY_MIN.multipliedBy(1L << Math.min(node.failures - 1, 10));
    return pause.compareTo(RETRY_MAX) < 0 ? pause : RETRY_MAX;
  }
}
