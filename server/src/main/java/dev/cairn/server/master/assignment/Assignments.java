package dev.cairn.server.master.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.RegionMoves.RegionMove;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.meta.RegionStateStore;
import dev.cairn.server.master.placement.KnownServers;
import dev.cairn.server.master.placement.Placement;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.placement.PlacementRequest;
import dev.cairn.server.master.remote.OnlineServers;
import dev.cairn.server.master.remote.RegionServerCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings every region to its goal, and keeps it there.
 *
 * <p>Each region has a goal, open or closed. {@link #drive} compares goal and state and takes the
 * one next action; every event (a report, a server that came or went, a completed write) drives
 * again. Goals are not stored: they follow from the state of the table in {@code hbase:meta}. So
 * nothing can get stuck: failed actions are tried again after a pause, unanswered ones are asked
 * again, and both may be repeated.
 *
 * <p>The replicas of a region are driven in the same way. Their goals follow from the region:
 * {@link #follow}. They own nothing, so a replica whose server is gone opens elsewhere at once.
 *
 * <p>A region is open at one server at most: before a server is asked to open it, {@code
 * hbase:meta} says {@code OPENING} with that server's name, and only that server's death, failure
 * or report ends that state. Owned by the loop.
 */
public final class Assignments {
  private static final Logger LOG = LoggerFactory.getLogger(Assignments.class);
  private static final Completion UNHEARD = Completion.of(() -> {}, cause -> {});

  /** The failed openings in a row, in about a minute, after which an error is logged. */
  private static final int FAILURES_TOLD = 10;

  /** The time after which a failed publication of {@code hbase:meta} is repeated. */
  private static final Duration PUBLISH_PAUSE = Duration.ofMillis(100);

  /** The time after which a region is placed again if rules refuse all servers. */
  private static final Duration PLACE_PAUSE = Duration.ofSeconds(1);

  /** The time after which a change that {@code hbase:meta} refuses is tried again. */
  private static final Duration REFUSED_PAUSE = Duration.ofSeconds(30);

  private final MasterLoop loop;
  private final RegionStateStore catalog;
  private final OnlineServers servers;
  private final Placement placement;
  private final MetaPublisher publisher;
  private final long epoch;
  private final ToIntFunction<TableName> replicas;
  private final RegionStates nodes;
  private final HostingServers known;
  private final RegionRequests requests;
  private final RegionWarmUps warmUps;
  private final RegionStateNode meta;

  /** Tells clients where {@code hbase:meta} is; waits. */
  @FunctionalInterface
  public interface MetaPublisher {
    /** Publishes that {@code server} serves {@code hbase:meta}. */
    void publish(ServerName server) throws IOException;
  }

  /**
   * Creates it without regions but {@code hbase:meta}'s.
   *
   * @param placement decides where regions go
   * @param epoch the epoch of this master
   * @param replicas how many replicas each region of a table has, itself counted
   * @param ids numbers the transitions of regions; not called before a region has a goal
   * @param warmUpMax how long a move waits for the warm-up of its region; zero for no warm-ups
   */
  public Assignments(
      MasterLoop loop,
      Clock clock,
      RegionStateStore catalog,
      OnlineServers servers,
      Placement placement,
      RegionServerCalls calls,
      MetaPublisher publisher,
      long epoch,
      ToIntFunction<TableName> replicas,
      LongSupplier ids,
      Duration warmUpMax) {
    this.epoch = epoch;
    this.loop = loop;
    this.catalog = catalog;
    this.servers = servers;
    this.placement = placement;
    this.publisher = publisher;
    this.replicas = replicas;
    this.nodes = new RegionStates(clock, ids);
    this.known = new HostingServers(servers, nodes);
    this.requests = new RegionRequests(loop, calls, nodes, new Answers());
    this.warmUps = new RegionWarmUps(loop, calls, warmUpMax);
    this.meta = load(RegionInfo.META, State.OFFLINE, Optional.empty(), -1);
  }

  /**
   * Takes a region as it was read at start, or a new one, without a goal; or a replica of a region
   * that it has.
   */
  public RegionStateNode load(
      RegionInfo region, State state, Optional<ServerName> server, long openSequence) {
    return nodes.add(region, state, server, openSequence);
  }

  /** Forgets a region that the catalog no longer has, and its replicas. */
  public void remove(RegionInfo region) {
    nodes.remove(region);
  }

  /** Returns a region or a replica by its encoded name. */
  public Optional<RegionStateNode> find(String encodedName) {
    return nodes.find(encodedName);
  }

  /** Returns the regions of a table, without replicas, in the order in which they were added. */
  public Collection<RegionStateNode> of(TableName table) {
    return nodes.of(table);
  }

  /** Returns the descriptions of a table's regions. */
  public List<RegionInfo> regionsOf(TableName table) {
    return of(table).stream().map(node -> node.region).toList();
  }

  /** Returns all regions, without replicas. */
  public Collection<RegionStateNode> all() {
    return nodes.all();
  }

  /** Returns all replicas. */
  public Collection<RegionStateNode> replicas() {
    return nodes.replicas();
  }

  /** Returns the counts and times of transitions since the master leads. */
  public TransitionTimes times() {
    return nodes.times();
  }

  /** Returns the latest moves of regions since the master leads, oldest first. */
  public List<RegionMove> moves() {
    return nodes.moves();
  }

  /** Returns the regions that should be open but are not served. */
  public List<RegionInfo> notOpen() {
    return all().stream().filter(RegionStateNode::isMissed).map(node -> node.region).toList();
  }

  /**
   * Sets the goal of {@code hbase:meta} to open; it stays at {@code server}, which has it open, if
   * that server lives.
   */
  public void openMeta(Optional<ServerName> server, Completion completion) {
    meta.wantOpen = true;
    nodes.begin(meta);
    meta.whenSettled(completion::done);
    if (server.filter(servers::isLive).isPresent()) {
      nodes.change(meta, State.OPENING, server);
      requests.open(meta);
    } else {
      drive(meta);
    }
  }

  /** Wants the table's regions open or closed; completes once all are, with their replicas. */
  public void want(TableName table, boolean open, Completion completion) {
    want(List.copyOf(of(table)), open, completion);
  }

  /**
   * Wants the table's regions closed and opened again; completes once all are, with their replicas.
   */
  public void reopen(TableName table, Completion completion) {
    each(withReplicas(of(table)), node -> node.reopen = node.wantOpen, completion);
  }

  /** Wants regions open or closed; completes once all are, with their replicas. */
  public void want(List<RegionStateNode> regions, boolean open, Completion completion) {
    regions.forEach(node -> node.wantOpen = open);
    each(withReplicas(regions), node -> {}, completion);
  }

  private List<RegionStateNode> withReplicas(Collection<RegionStateNode> regions) {
    regions.forEach(this::follow);
    return regions.stream()
        .flatMap(node -> Stream.concat(Stream.of(node), node.replicas.stream()))
        .toList();
  }

  /**
   * Makes open or closed the goal of a procedure's regions; completes once all reach it. While a
   * procedure wants its regions closed, no other caller may open them.
   */
  public void wantExclusively(List<RegionStateNode> regions, boolean open, Completion completion) {
    regions.forEach(node -> node.held = !open);
    want(regions, open, completion);
  }

  /** Wants one region, or one replica, open or closed; completes once it is. */
  public void want(RegionStateNode node, boolean open, Completion completion) {
    want(List.of(node), open, completion);
  }

  /**
   * Moves an open region to the server that {@code decision} names, which reads its hot blocks
   * first; completes once it is open, there or elsewhere.
   */
  public void move(RegionStateNode node, PlacementDecision decision, Completion completion) {
    if (decision.server().isEmpty()) {
      throw new IllegalArgumentException("No server to move to: " + decision.reason());
    }
    each(List.of(node), one -> one.move = Optional.of(decision), completion);
  }

  /** Returns a request for a server for a region, with the present facts. */
  public PlacementRequest request(RegionStateNode node, PlacementReason reason) {
    return new PlacementRequest(
        node.region, reason, node.server, Optional.empty(), node.failures, known);
  }

  /** Decides where a region goes. Changes nothing. */
  public PlacementDecision place(PlacementRequest request) {
    return placement.place(request);
  }

  /** Returns the servers that may get regions, with the facts about them. */
  public KnownServers servers() {
    return known;
  }

  /**
   * Returns the server of a region, if it lives and may have all the regions that take the region's
   * place.
   */
  public Optional<ServerName> serverForHeirs(RegionStateNode node, List<RegionInfo> heirs) {
    return node.server.filter(server -> heirs.stream().allMatch(heir -> mayTakeOver(server, heir)));
  }

  private boolean mayTakeOver(ServerName server, RegionInfo heir) {
    Optional<ServerName> there = Optional.of(server);
    PlacementRequest request =
        new PlacementRequest(heir, PlacementReason.REPLACEMENT, there, there, 0, known);
    return placement.place(request).server().isPresent();
  }

  private void each(
      Collection<RegionStateNode> wanted, Consumer<RegionStateNode> change, Completion completion) {
    if (wanted.isEmpty()) {
      completion.done();
      return;
    }
    int[] left = {wanted.size()};
    for (RegionStateNode node : List.copyOf(wanted)) {
      change.accept(node);
      nodes.begin(node);
      node.whenSettled(
          () -> {
            if (--left[0] == 0) {
              completion.done();
            }
          });
      drive(node);
    }
  }

  /**
   * Sets the goals of a region and its replicas at start, and repeats requests that an earlier
   * master may have sent.
   */
  public void resume(RegionStateNode node, boolean wantOpen) {
    node.wantOpen = wantOpen;
    for (RegionStateNode each : withReplicas(List.of(node))) {
      nodes.begin(each);
      repeat(each);
    }
  }

  private void repeat(RegionStateNode node) {
    if (node.state == State.OPENING) {
      requests.open(node);
    } else if (node.state == State.CLOSING) {
      requests.close(node);
    }
  }

  /**
   * Adds a new region that {@code hbase:meta} lists as opening at {@code server}, and orders that
   * server to open it. If the server is gone, the region is closed.
   */
  public void loadOpening(RegionInfo region, ServerName server) {
    boolean isLive = servers.isLive(server);
    State state = isLive ? State.OPENING : State.CLOSED;
    RegionStateNode node = load(region, state, Optional.of(server), -1);
    resume(node, true);
    followAndDrive(node);
  }

  /** Takes the next action for every region and replica. */
  public void driveAll() {
    nodes.copy().forEach(this::drive);
  }

  /**
   * Gives the replicas of a region their goals, and adds those that are missing: they are wanted
   * open while the region is, as many as its table has.
   */
  private void follow(RegionStateNode region) {
    if (region.isReplica() || region == meta) {
      return;
    }
    int copies = replicas.applyAsInt(region.region.table());
    if (region.wantOpen) {
      for (int id = 1; id < copies; id++) {
        RegionInfo replica = region.region.replica(id);
        if (nodes.find(replica.encodedName()).isEmpty()) {
          nodes.add(replica, State.CLOSED, Optional.empty(), -1);
        }
      }
    }
    for (RegionStateNode replica : region.replicas) {
      boolean open = region.wantOpen && replica.region.replicaId() < copies;
      if (replica.wantOpen != open) {
        replica.wantOpen = open;
        nodes.begin(replica);
      }
    }
  }

  private void followAndDrive(RegionStateNode region) {
    follow(region);
    region.replicas().forEach(this::drive);
  }

  /** Tells whether a replica's table has fewer replicas now. */
  private boolean isExcess(RegionStateNode node) {
    return node.isReplica() && node.region.replicaId() >= replicas.applyAsInt(node.region.table());
  }

  /** Forgets a closed replica that the table does not have any more. */
  private void retire(RegionStateNode replica) {
    replica.writing = true;
    write(
        replica,
        new CatalogChange.RemoveReplica(replica.region),
        () -> {
          nodes.settled(replica);
          nodes.remove(replica.region);
        });
  }

  /** Moves a replica away from a copy with a lower number, if there is a server without one. */
  private void spread(RegionStateNode replica) {
    boolean isBeside =
        replica
            .copies()
            .filter(other -> other.region.replicaId() < replica.region.replicaId())
            .anyMatch(other -> other.isHosted() && other.server.equals(replica.server));
    if (!isBeside) {
      return;
    }
    PlacementDecision decision = placement.place(request(replica, PlacementReason.BALANCE));
    if (decision.server().isPresent()
        && known.othersOf(replica.region).noneMatch(decision.server().get()::equals)) {
      LOG.info(
          "{} moves from {} to {}: the region has another replica there",
          replica.region,
          replica.server.orElseThrow(),
          decision.server().get());
      replica.move = Optional.of(decision);
      nodes.begin(replica);
    }
  }

  /** Takes the next action for one region, if there is one to take now. */
  void drive(RegionStateNode node) {
    if (!node.writing && nodes.contains(node)) {
      act(node);
    }
    if (nodes.contains(node)) {
      followAndDrive(node);
    }
  }

  private void act(RegionStateNode node) {
    switch (node.state) {
      case OPEN -> {
        if (node.isReplica() && node.wantOpen && node.move.isEmpty()) {
          spread(node);
        }
        Optional<ServerName> target = node.target();
        if (target.isPresent() && (node.isAt(target.get()) || !servers.isLive(target.get()))) {
          node.move = Optional.empty();
        }
        if (!node.wantOpen || node.reopen || node.move.isPresent() && isWarm(node)) {
          beginClose(node);
        }
      }
      case OFFLINE, CLOSED -> {
        node.reopen = false;
        if (node.wantOpen) {
          beginOpen(node);
        } else {
          node.move = Optional.empty();
          if (isExcess(node)) {
            retire(node);
            return;
          }
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
      nodes.settled(node);
    }
  }

  /**
   * Tells whether a region that moves may leave its server. Otherwise, drives again once it may.
   */
  private boolean isWarm(RegionStateNode node) {
    return node == meta
        || node.isReplica()
        || warmUps.isOver(node, node.target().orElseThrow(), () -> drive(node));
  }

  private void beginOpen(RegionStateNode node) {
    PlacementDecision decision = decide(node);
    boolean isNews = node.placed.isEmpty() || !node.placed.get().reason().equals(decision.reason());
    node.placed = Optional.of(decision);
    if (decision.server().isPresent()) {
      node.move = Optional.empty();
      write(node, State.OPENING, decision.server(), () -> requests.open(node));
    } else if (decision.isRefused()) {
      if (isNews) {
        LOG.warn("{} is not opened. {}", node.region, decision.reason());
      }
      placeAgain(node);
    } // Otherwise, the next server that is accepted drives again.
  }

  private PlacementDecision decide(RegionStateNode node) {
    if (node.move.isPresent()) {
      PlacementDecision move = node.move.get();
      PlacementRequest request = request(node, move.asked()).at(move.server().orElseThrow());
      if (placement.place(request).server().isPresent()) {
        return move;
      }
    }
    PlacementReason reason = PlacementReason.OPEN;
    if (node.failures > 0) {
      reason = PlacementReason.RETRY;
    } else if (node.server.isPresent() && !servers.isLive(node.server.get())) {
      reason = PlacementReason.RECOVERY;
    }
    return placement.place(request(node, reason));
  }

  /** Drives a region again after a pause, because rules refuse all servers. */
  private void placeAgain(RegionStateNode node) {
    if (node.placeAgain != node.epoch) {
      node.placeAgain = node.epoch;
      requests.after(
          node,
          PLACE_PAUSE,
          () -> {
            node.placeAgain = -1;
            drive(node);
          });
    }
  }

  /**
   * Handles a server's report that a region is open there; completes once clients may be sent
   * there.
   *
   * @param order the order that the report answers; empty if it names none
   */
  public void opened(
      ServerName server,
      RegionInfo region,
      long sequence,
      Optional<FencingToken> order,
      Completion completion) {
    RegionStateNode node = nodes.find(region.encodedName()).orElse(null);
    if (node != null && node.state == State.OPENING && !node.writing && !isLatest(order, node)) {
      completion.failed(
          new IOException(
              "%s has been ordered to open %s again since"
                  .formatted(server, region.regionNameAsString())));
      return;
    }
    opened(server, region, sequence, completion);
  }

  /** Tells whether a report answers the latest order about a region. */
  private boolean isLatest(Optional<FencingToken> order, RegionStateNode node) {
    return order.filter(new FencingToken(epoch, node.epoch)::equals).isPresent();
  }

  private void opened(ServerName server, RegionInfo region, long sequence, Completion completion) {
    RegionStateNode node = nodes.find(region.encodedName()).orElse(null);
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
    long epoch = nodes.nextEpoch();
    node.epoch = epoch;
    Runnable written =
        () -> {
          if (node.epoch == epoch) {
            node.writing = false;
            node.failures = 0;
            nodes.change(node, State.OPEN, node.server);
            if (node == meta) {
              catalog.setOpen(true);
            }
            LOG.info("{} is open at {}{}", region, server, why(node));
            node.published();
            drive(node);
          }
        };
    if (node == meta) {
      publish(server, epoch, written);
    } else {
      catalog.write(
          List.of(new CatalogChange.RegionOpened(node.region, server, sequence)),
          Completion.of(written, cause -> notEntered(node, epoch, cause)));
    }
  }

  /** Tells the server of an opening that {@code hbase:meta} refuses, and opens the region again. */
  private void notEntered(RegionStateNode node, long epoch, IOException cause) {
    if (node.epoch == epoch) {
      node.writing = false;
      node.notPublished(cause);
      failedOpen(node);
    }
  }

  private static String why(RegionStateNode node) {
    return node.placed
        .filter(decision -> decision.server().equals(node.server))
        .map(decision -> " (" + decision.reason() + ")")
        .orElse("");
  }

  private void publish(ServerName server, long epoch, Runnable done) {
    loop.perform(
        Lane.COORDINATION,
        () -> publisher.publish(server),
        Completion.of(
            done,
            cause -> {
              LOG.warn("The location of hbase:meta could not be published: {}", cause.toString());
              if (meta.epoch == epoch) {
                meta.writing = false;
                meta.notPublished(cause);
                requests.after(meta, PUBLISH_PAUSE, () -> requests.open(meta));
              }
            }));
  }

  /**
   * Handles a server's report that it could not open a region. If the region is recorded as open
   * there, the server is asked to close it before it is opened anywhere: the report may be an old
   * one.
   */
  public void failedOpen(ServerName server, RegionInfo region, Optional<FencingToken> order) {
    RegionStateNode node = nodes.find(region.encodedName()).orElse(null);
    if (node != null && node.state == State.OPEN && node.isAt(server)) {
      LOG.warn("{} cannot serve {}; opening it again", server, region);
      node.reopen = node.wantOpen;
      drive(node);
      return;
    }
    if (node != null
        && node.state == State.OPENING
        && node.isAt(server)
        && !node.writing
        && isLatest(order, node)) {
      failedOpen(node);
    }
  }

  private void failedOpen(RegionStateNode node) {
    node.failures++;
    Duration pause = node.pause();
    String server = node.server.map(ServerName::toString).orElse("?");
    if (node.failures == FAILURES_TOLD) {
      LOG.error(
          "{} could not be opened {} times, and is not served; the logs of {} and of the servers"
              + " that tried before it have the cause. Trying again every {} ms",
          node.region,
          node.failures,
          server,
          pause.toMillis());
    } else {
      LOG.warn(
          "{} could not be opened at {}; trying again in {} ms",
          node.region,
          server,
          pause.toMillis());
    }
    nodes.change(node, State.FAILED_OPEN, node.server);
    requests.after(
        node,
        pause,
        () -> {
          nodes.change(node, State.OFFLINE, node.server);
          drive(node);
        });
  }

  private void beginClose(RegionStateNode node) {
    if (node == meta && !node.wantOpen) {
      return; // It is closed only to be opened again.
    }
    write(node, State.CLOSING, node.server, () -> requests.close(node));
  }

  /**
   * Handles a server's report that a region is closed there. A report that does not answer the
   * latest order is checked: the server is asked to close the region. A server that stops closes
   * {@code hbase:meta} without an order.
   *
   * @param order the order that the report answers; empty if it names none
   */
  public void closed(
      ServerName server, RegionInfo region, Optional<FencingToken> order, Completion completion) {
    RegionStateNode node = nodes.find(region.encodedName()).orElse(null);
    boolean asked =
        node != null
            && (node == meta && order.isEmpty()
                || node.state == State.CLOSING && isLatest(order, node));
    if (asked) {
      closed(server, region, completion);
      return;
    }
    boolean isDoubtful = order.isEmpty() || node == meta; // hbase:meta has no stored state
    if (node != null && isDoubtful && node.state == State.OPEN && node.isAt(server)) {
      node.reopen = node.wantOpen;
      drive(node);
    }
    completion.done(); // If it answers an earlier order, the report is late.
  }

  private void closed(ServerName server, RegionInfo region, Completion completion) {
    RegionStateNode node = nodes.find(region.encodedName()).orElse(null);
    if (node == null || !node.isAt(server) || !node.isHosted() || node.writing) {
      completion.done(); // It is known already, or irrelevant.
      return;
    }
    node.failures = 0;
    node.warmUp = Optional.empty();
    if (node == meta) {
      catalog.setOpen(false);
      nodes.change(node, State.CLOSED, node.server);
      completion.done();
      drive(node);
    } else {
      nodes.change(node, State.CLOSED, node.server);
      if (!isOpenedAtOnce(node, completion)) {
        write(node, State.CLOSED, node.server, completion::done);
      }
    }
  }

  /**
   * Opens a closed region elsewhere, if it is to be open and there is a server for it. Then {@code
   * hbase:meta} need not say in between that the region is closed.
   *
   * @param closed completes once {@code hbase:meta} does not say any more that it is open
   */
  private boolean isOpenedAtOnce(RegionStateNode node, Completion closed) {
    node.reopen = false;
    if (!node.wantOpen) {
      return false;
    }
    PlacementDecision decision = decide(node);
    if (decision.server().isEmpty()) {
      return false;
    }
    node.placed = Optional.of(decision);
    node.move = Optional.empty();
    write(
        node,
        State.OPENING,
        decision.server(),
        () -> {
          closed.done();
          requests.open(node);
        });
    return true;
  }

  /**
   * A server is gone. Its regions wait until its log is recovered; its replicas open elsewhere at
   * once, since the log has nothing of them. {@code hbase:meta} names no server for regions without
   * replicas meanwhile. So clients look there again and again after short pauses, instead of
   * waiting for the answer of a server that may be frozen. If a region has replicas, the last
   * server stays: HBase's clients look for a replica only if they find some server of the region.
   */
  public void serverGone(ServerName server) {
    requests.forget(server);
    List<RegionStateNode> free = new ArrayList<>();
    for (RegionStateNode node : nodes.copy()) {
      if (node.isAt(server) && (node.isHosted() || node.state == State.FAILED_OPEN)) {
        if (node == meta) {
          catalog.setOpen(false);
        } else {
          if (replicas.applyAsInt(node.region.table()) == 1) {
            catalog.write(List.of(new CatalogChange.RegionUnreachable(node.region)), UNHEARD);
          }
        }
        node.writing = false;
        node.notPublished(new IOException("The master gave " + server + " up"));
        nodes.change(node, node.isReplica() ? State.OFFLINE : State.ABNORMALLY_CLOSED, node.server);
        if (node.isReplica()) {
          free.add(node);
        }
      }
    }
    nodes.forget(server);
    free.forEach(this::drive);
  }

  /** A dead server's log is recovered for some regions: they may be opened elsewhere. */
  public void serverRecovered(ServerName server, Predicate<RegionInfo> mayOpen) {
    for (RegionStateNode node : nodes.copy()) {
      if (node.state == State.ABNORMALLY_CLOSED && node.isAt(server) && mayOpen.test(node.region)) {
        nodes.change(node, State.OFFLINE, node.server);
        drive(node);
      }
    }
  }

  private void write(
      RegionStateNode node, State state, Optional<ServerName> server, Runnable afterwards) {
    nodes.change(node, state, server);
    if (node == meta || server.isEmpty()) {
      // hbase:meta does not list itself; a region that never was anywhere is closed as it is.
      afterwards.run();
      if (node.isSettled()) {
        nodes.settled(node);
      }
      return;
    }
    node.writing = true;
    write(node, new CatalogChange.SetRegionState(node.region, state, server.get()), afterwards);
  }

  /**
   * Writes a change of a region. If {@code hbase:meta} refuses it, tries it again after a pause.
   */
  private void write(RegionStateNode node, CatalogChange change, Runnable afterwards) {
    long epoch = node.epoch;
    catalog.write(
        List.of(change),
        Completion.of(
            () -> {
              // Otherwise the server has gone meanwhile, and with it the reason for the next
              // action.
              if (node.epoch == epoch) {
                node.writing = false;
                afterwards.run();
                drive(node);
              }
            },
            cause -> {
              if (node.epoch == epoch) {
                requests.after(node, REFUSED_PAUSE, () -> write(node, change, afterwards));
              }
            }));
  }

  /** Handles the immediate answers of servers, which they do not report. */
  private final class Answers implements RegionRequests.Answers {
    @Override
    public void alreadyOpen(ServerName server, RegionStateNode node) {
      opened(server, node.region, Math.max(1, node.openSequence), UNHEARD);
    }

    @Override
    public void failedOpen(RegionStateNode node) {
      Assignments.this.failedOpen(node);
    }

    @Override
    public void alreadyClosed(ServerName server, RegionStateNode node) {
      closed(server, node.region, UNHEARD);
    }
  }
}
