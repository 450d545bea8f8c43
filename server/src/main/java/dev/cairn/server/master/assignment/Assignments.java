package dev.cairn.server.master.assignment;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.OpeningProblem;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.RegionMoves.RegionMove;
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
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings every region to its goal, and keeps it there.
 *
 * <p>Each region has a goal, open or closed. {@link RegionDriver} compares goal and state and takes
 * the one next action; every event (a report, a server that came or went, a completed write) drives
 * again. Goals are not stored: they follow from the state of the table in {@code hbase:meta}. So
 * nothing can get stuck: failed actions are tried again after a pause, unanswered ones are asked
 * again, and both may be repeated.
 *
 * <p>The replicas of a region are driven in the same way. Their goals follow from the region:
 * {@link ReplicaGoals}. They own nothing, so a replica whose server is gone opens elsewhere at
 * once.
 *
 * <p>A region is open at one server at most: before a server is asked to open it, {@code
 * hbase:meta} says {@code OPENING} with that server's name, and only that server's death, failure
 * or report ends that state. Owned by the loop.
 */
public final class Assignments {
  private static final Logger LOG = LoggerFactory.getLogger(Assignments.class);

  private final MasterLoop loop;
  private final RegionStateStore catalog;
  private final OnlineServers servers;
  private final RegionStates nodes;
  private final RegionPlaces places;
  private final ReplicaGoals goals;
  private final RegionRequests requests;
  private final Promotions promotions;
  private final RegionDriver driver;
  private final TransitionReports reports;
  private final RegionStateNode meta;
  private final RefusingRegions refusing;

  /** Tells clients where {@code hbase:meta} and its replicas are; waits. */
  public interface MetaPublisher {
    /** Publishes that {@code server} serves {@code hbase:meta} or a replica. */
    void publish(RegionInfo copy, ServerName server) throws IOException;

    /** Removes the location of a replica that is closed for good. */
    void withdraw(RegionInfo replica) throws IOException;
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
    this.loop = loop;
    this.catalog = catalog;
    this.servers = servers;
    this.nodes = new RegionStates(clock, ids);
    this.places = new RegionPlaces(placement, servers, new HostingServers(servers, nodes));
    this.requests = new RegionRequests(loop, calls, nodes, this::reports);
    RegionStateWrites writes = new RegionStateWrites(catalog, nodes, requests, this::drive);
    MetaLocations locations = new MetaLocations(loop, publisher, requests);
    this.goals = new ReplicaGoals(replicas, nodes, places, writes, locations, this::drive);
    this.promotions = new Promotions(loop, catalog, places, calls);
    this.driver =
        new RegionDriver(
            servers,
            nodes,
            places,
            goals,
            promotions,
            requests,
            new RegionWarmUps(loop, calls, warmUpMax),
            writes);
    this.reports =
        new TransitionReports(
            loop, catalog, servers, locations, epoch, nodes, requests, driver, writes);
    this.refusing = new RefusingRegions(nodes);
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

  /** Returns the region with this name or encoded name. */
  public Optional<RegionStateNode> named(byte[] name) {
    return find(Bytes.utf8(name))
        .or(
            () ->
                all().stream()
                    .filter(node -> Arrays.equals(node.region.regionName(), name))
                    .findFirst());
  }

  /**
   * Returns the region with this name or encoded name.
   *
   * @throws UnknownRegionException if there is none
   */
  public RegionStateNode requireNamed(byte[] name) throws UnknownRegionException {
    return named(name).orElseThrow(() -> unknown(name));
  }

  /** Returns the failure of a request for a region that does not exist. */
  public static UnknownRegionException unknown(byte[] name) {
    return new UnknownRegionException(
        name.length == 0 ? "The region's name is empty" : Bytes.toStringBinary(name));
  }

  /** Returns the regions of a table, without replicas, in the order in which they were added. */
  public Collection<RegionStateNode> of(TableName table) {
    return nodes.of(table);
  }

  /** Returns the descriptions of a table's regions. */
  public List<RegionInfo> regionsOf(TableName table) {
    return of(table).stream().map(node -> node.region).toList();
  }

  /** Returns the first region of a table that could not be opened, or refuses every call. */
  public Optional<Missed> unserved(TableName table) {
    return of(table).stream()
        .filter(node -> node.isMissed() && node.problem.isPresent())
        .map(node -> new Missed(node.region, node.problem()))
        .findFirst();
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

  /**
   * A region that should be open and is not served.
   *
   * @param reason why the last attempt to open it failed, or why its server refuses every call
   */
  public record Missed(RegionInfo region, Optional<String> reason) {}

  /** Returns the regions that should be open but are not served. */
  public List<Missed> notOpen() {
    return all().stream()
        .filter(RegionStateNode::isMissed)
        .map(node -> new Missed(node.region, node.problem()))
        .toList();
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

  /**
   * Loads the replicas of {@code hbase:meta}, as many as its descriptor asks for. Orders each live
   * server that had a replica to open it; a server that still has it open confirms this.
   *
   * @param last the servers that had the replicas, by the number of the replica
   */
  public void openMetaReplicas(Map<Integer, ServerName> last) {
    last.forEach(
        (id, server) ->
            load(
                RegionInfo.META.replica(id),
                servers.isLive(server) ? State.OPENING : State.OFFLINE,
                Optional.of(server),
                -1));
    goals.follow(meta);
    for (RegionStateNode replica : meta.replicas()) {
      nodes.begin(replica);
      repeat(replica);
    }
  }

  /**
   * Wants the table's regions open or closed; completes once all are, with their replicas. A region
   * that a coprocessor does not let open is given up after some seconds: see {@link #unserved}.
   */
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
    regions.forEach(goals::follow);
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

  /**
   * As {@link #move}, but also completes if the region has left its server and is not open after
   * {@code patience}. The region then opens later, at any server. A region that cannot be opened
   * therefore does not hold up the moves after it.
   */
  public void move(
      RegionStateNode node, PlacementDecision decision, Duration patience, Completion completion) {
    Optional<ServerName> from = node.server;
    boolean[] over = {false};
    Runnable end =
        () -> {
          if (!over[0]) {
            over[0] = true;
            completion.done();
          }
        };
    move(node, decision, Completion.of(end, cause -> end.run()));
    watchMove(node, from, patience, over, end);
  }

  private void watchMove(
      RegionStateNode node,
      Optional<ServerName> from,
      Duration patience,
      boolean[] over,
      Runnable end) {
    loop.after(
        patience,
        () -> {
          if (over[0]) {
            return;
          }
          if (node.isHosted() && node.server.equals(from)) {
            watchMove(node, from, patience, over, end);
          } else {
            LOG.warn("{} has left {}, but does not open yet", node.region, from.get());
            end.run();
          }
        });
  }

  /** Returns a request for a server for a region, with the present facts. */
  public PlacementRequest request(RegionStateNode node, PlacementReason reason) {
    return places.request(node, reason);
  }

  /** Decides where a region goes. Changes nothing. */
  public PlacementDecision place(PlacementRequest request) {
    return places.place(request);
  }

  /** Returns the servers that may get regions, with the facts about them. */
  public KnownServers servers() {
    return places.known();
  }

  /**
   * Returns the server of a region, if it lives and may have all the regions that take the region's
   * place.
   */
  public Optional<ServerName> serverForHeirs(RegionStateNode node, List<RegionInfo> heirs) {
    return places.serverForHeirs(node, heirs);
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
      if (node.state == State.FAILED_OPEN) { // What has changed may help, so do not wait longer.
        node.failures = 0;
        nodes.change(node, State.OFFLINE, node.server);
      }
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
    driver.driveReplicas(node);
  }

  /** Takes the next action for every region and replica. */
  public void driveAll() {
    nodes.copy().forEach(this::drive);
  }

  /** Takes the next action for one region, if there is one to take now. */
  void drive(RegionStateNode node) {
    driver.drive(node);
  }

  private TransitionReports reports() {
    return reports;
  }

  /**
   * Handles a server's report that a region is open there; completes once clients may be sent
   * there.
   *
   * @param problem why the server refuses every call of the region; empty if it serves the region
   * @param order the order that the report answers; empty if it names none
   */
  public void opened(
      ServerName server,
      RegionInfo region,
      long sequence,
      Optional<OpeningProblem> problem,
      Optional<FencingToken> order,
      Completion completion) {
    reports.opened(server, region, sequence, problem, order, completion);
  }

  /**
   * Handles a server's report that it could not open a region, or cannot serve it; completes once
   * {@code hbase:meta} does not say any more that it is open there.
   *
   * @param problem the reason, if the server knows it
   * @param order the order that the report answers; empty if it names none
   */
  public void failedOpen(
      ServerName server,
      RegionInfo region,
      Optional<OpeningProblem> problem,
      Optional<FencingToken> order,
      Completion completion) {
    reports.failedOpen(server, region, problem, order, completion);
  }

  /**
   * Handles a server's list of its regions that refuse every call.
   *
   * @param reasons the reasons, by the regions' encoded names
   */
  public void refusing(ServerName server, Map<String, String> reasons) {
    refusing.reported(server, reasons);
  }

  /**
   * Handles a server's report that a region is closed there; completes once {@code hbase:meta} does
   * not say any more that it is open there.
   *
   * @param order the order that the report answers; empty if it names none
   */
  public void closed(
      ServerName server, RegionInfo region, Optional<FencingToken> order, Completion completion) {
    reports.closed(server, region, order, completion);
  }

  /**
   * A server is gone. Its regions wait until its log is recovered ({@link Promotions}); its
   * replicas open elsewhere at once, since the log has nothing of them.
   */
  public void serverGone(ServerName server) {
    requests.forget(server);
    List<RegionStateNode> free = new ArrayList<>();
    List<RegionStateNode> lost = new ArrayList<>();
    for (RegionStateNode node : nodes.copy()) {
      if (node.successor().filter(server::equals).isPresent()) {
        lost.add(node);
      }
      if (node.isAt(server) && (node.isHosted() || node.state == State.FAILED_OPEN)) {
        if (node == meta) {
          catalog.setOpen(false);
        } else if (!node.isReplica()) {
          lost.add(node);
        }
        node.writing = false;
        node.failing = false;
        node.problem = Optional.empty();
        node.notPublished(new IOException("The master gave " + server + " up"));
        nodes.change(node, node.isReplica() ? State.OFFLINE : State.ABNORMALLY_CLOSED, node.server);
        if (node.isReplica()) {
          free.add(node);
        }
      }
    }
    nodes.forget(server);
    lost.forEach(promotions::lost);
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
}
