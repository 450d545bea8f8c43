package dev.cairn.server.master.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.OpeningProblem;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.placement.PlacementDecision;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RegionTransitionType;

/**
 * The known and the wanted state of one region. Owned by the loop; changed only by {@link
 * Assignments} and its parts.
 */
public final class RegionStateNode {
  private static final Duration PAUSE_MIN = Duration.ofMillis(100);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(30);

  /**
   * The failed openings in a row, within some seconds, after which procedures no longer wait for a
   * region that a coprocessor does not let open. Otherwise its table would stay locked, and nobody
   * could remove the coprocessor from it.
   */
  private static final int HOOK_FAILURES_MAX = 7;

  final RegionInfo region;
  State state;

  /** To which {@link #state} refers, or where the region was last. */
  Optional<ServerName> server;

  long openSequence;
  long changedMillis;

  /** True if the region must be open, false if it must be closed. */
  boolean wantOpen;

  /** A procedure wants it closed and works on its files: it must not be opened. */
  boolean held;

  /** It must be closed and opened again, for a new descriptor. */
  boolean reopen;

  /** The decision to move it, until it opens. */
  Optional<PlacementDecision> move = Optional.empty();

  /** The warm-up at its next server, until it has left its present one. */
  Optional<RegionWarmUps.WarmUp> warmUp = Optional.empty();

  /** The last decision where to open it. */
  Optional<PlacementDecision> placed = Optional.empty();

  /** The {@link #epoch} for which it waits to be placed again; -1 if it does not wait. */
  long placeAgain = -1;

  /** Grows with every change of state, so that late events are recognized. */
  long epoch;

  /** A change of state is on its way to the catalog. */
  boolean writing;

  /** The transition to its goal; empty if it has reached the goal, or has none yet. */
  Optional<RegionTransition> transition = Optional.empty();

  /** The order to open or close it that its server has, or is about to get. */
  Optional<RegionTransition.Order> order = Optional.empty();

  private Optional<ServerName> successor = Optional.empty();

  /**
   * Whether the successor is still to expect the region; read by the thread that tells the
   * successor.
   */
  private AtomicBoolean expectation = new AtomicBoolean();

  /** Failures since it was last open. */
  int failures;

  /** The failures before the last opening, which count again if the region does not serve. */
  int earlierFailures;

  /** The order that the server of an open region has carried out; -1 if that is not known. */
  long openedBy = -1;

  /**
   * Why the last attempt to open it failed or, if it is open, why its server refuses every call.
   */
  Optional<OpeningProblem> problem = Optional.empty();

  /** The server that clients find in {@code hbase:meta} because it knows the problem. */
  Optional<ServerName> knowsProblem = Optional.empty();

  /** It closes because its server cannot serve it: the next attempt follows after a pause. */
  boolean failing;

  /** The region that this is a replica of; empty if this is the region itself. */
  final Optional<RegionStateNode> primary;

  /** The replicas of this region, by ascending number. */
  final List<RegionStateNode> replicas = new ArrayList<>();

  /** Tasks to run once it has reached its goal. */
  private List<Runnable> settled = new ArrayList<>();

  /** Reports of its opening that wait for the catalog. */
  private List<MasterLoop.Completion> reports = new ArrayList<>();

  /**
   * Creates a node without a goal.
   *
   * @param primary the region of a replica
   */
  RegionStateNode(RegionInfo region, Optional<RegionStateNode> primary, long openSequence) {
    this.region = region;
    this.primary = primary;
    this.state = State.CLOSED;
    this.server = Optional.empty();
    this.openSequence = openSequence;
  }

  /** Returns the region. */
  public RegionInfo region() {
    return region;
  }

  /** Tells whether this is a replica, and not the region itself. */
  public boolean isReplica() {
    return primary.isPresent();
  }

  /** Tells whether this is the region of {@code hbase:meta}. */
  boolean isMeta() {
    return region.isMeta();
  }

  /** Tells whether this is the region of {@code hbase:meta} or a replica of it. */
  boolean isOfMeta() {
    return region.table().isMeta();
  }

  /** Returns the region and its replicas, by ascending number. */
  Stream<RegionStateNode> copies() {
    RegionStateNode first = primary.orElse(this);
    return Stream.concat(Stream.of(first), first.replicas.stream());
  }

  /** Returns the replicas of this region, by ascending number. */
  public List<RegionStateNode> replicas() {
    return List.copyOf(replicas);
  }

  /** Returns the state that {@code hbase:meta} has or is about to get. */
  public State state() {
    return state;
  }

  /** Returns the server that the state refers to, or where the region was last. */
  public Optional<ServerName> server() {
    return server;
  }

  /** Returns the server that serves the region; empty if the region is not open. */
  public Optional<ServerName> openServer() {
    return state == State.OPEN ? server : Optional.empty();
  }

  /** Returns the sequence number of the last opening; -1 if that is not known. */
  public long openSequence() {
    return openSequence;
  }

  /** Returns a number that rises with every change of the state. */
  public long changeNumber() {
    return epoch;
  }

  /** Returns when the state changed last, milliseconds since 1970. */
  public long changedMillis() {
    return changedMillis;
  }

  /**
   * Returns the time since which the region has not reached its goal, in milliseconds since 1970.
   * Unlike {@link #changedMillis}, it stays the same when an attempt to open the region fails.
   */
  public long inTransitionSinceMillis() {
    return transition.map(RegionTransition::sinceMillis).orElse(changedMillis);
  }

  /**
   * Returns the transition to the region's goal; empty if it has reached it, or has no goal yet.
   */
  public Optional<RegionTransition> transition() {
    return transition;
  }

  /** Returns the order to open or close the region that its server has; empty if it has none. */
  public Optional<RegionTransition.Order> order() {
    return writing && !isPublishing() ? Optional.empty() : order;
  }

  /** Returns the failures to open or close the region since it was last open. */
  public int failures() {
    return failures;
  }

  /**
   * Returns why the last attempt to open the region failed; if it is open, why its server refuses
   * every call. Empty if it is served, or if the reason is not known.
   */
  public Optional<String> problem() {
    return problem.map(OpeningProblem::reason);
  }

  /** Tells whether the region counts as open, and its server refuses every call. */
  public boolean isRefusing() {
    return state == State.OPEN && problem.isPresent();
  }

  /** Returns the state for users: an open region that refuses every call has failed to open. */
  public State shownState() {
    return isRefusing() ? State.FAILED_OPEN : state;
  }

  /** Tells whether the region has yet to reach its goal, or is not served there. */
  public boolean isShownInTransition() {
    return isInTransition() || isRefusing();
  }

  /** Tells whether a coprocessor keeps the region from opening, and will not soon let it open. */
  boolean isGivenUp() {
    return wantOpen
        && !isOfMeta()
        && failures >= HOOK_FAILURES_MAX
        && problem.filter(OpeningProblem::isOfHooks).isPresent();
  }

  /** Returns the server that the region is moved to; empty if it is not moved. */
  public Optional<ServerName> target() {
    return move.flatMap(PlacementDecision::server);
  }

  /**
   * Returns the last decision where to open the region; empty if this master has not opened it, or
   * if it replaces split or merged regions.
   */
  public Optional<PlacementDecision> placed() {
    return placed;
  }

  /** Tells whether the region waits because rules refuse all servers. */
  public boolean isRefused() {
    return placeAgain == epoch;
  }

  /** Returns the kind of transition that leads to the region's goal. */
  RegionTransitionType goal() {
    if (!wantOpen) {
      return RegionTransitionType.UNASSIGN;
    }
    if (reopen) {
      return RegionTransitionType.REOPEN;
    }
    return move.isPresent() ? RegionTransitionType.MOVE : RegionTransitionType.ASSIGN;
  }

  /** Tells whether the region's goal is to be open. */
  public boolean isWantedOpen() {
    return wantOpen;
  }

  /** Tells whether a procedure works on the region's files. */
  public boolean isHeld() {
    return held;
  }

  /**
   * Returns the live server of a replica that takes the region over from its dead server; clients
   * are already sent there. Empty if the region is not being taken over, or may open anywhere.
   */
  Optional<ServerName> successor() {
    return successor;
  }

  /**
   * Sets the server that takes the region over; empty for none.
   *
   * @return whether that server is still to expect the region: false once this method is called
   *     again
   */
  AtomicBoolean setHeir(Optional<ServerName> next) {
    expectation.set(false);
    expectation = new AtomicBoolean(next.isPresent());
    successor = next;
    return expectation;
  }

  /** Tells whether {@link #server} is {@code other}. */
  public boolean isAt(ServerName other) {
    return server.isPresent() && server.get().equals(other);
  }

  /** Tells whether a server has opened the region's files ahead, and expects it. */
  boolean isExpectedAt(ServerName next) {
    return warmUp
        .filter(done -> done.server().equals(next))
        .filter(done -> done.succeeded().get())
        .isPresent();
  }

  /** Tells whether a server serves the region, or may serve it. */
  public boolean isHosted() {
    return state == State.OPEN || state == State.OPENING || state == State.CLOSING;
  }

  /** Returns the pause after the failures so far; there is at least one. */
  Duration pause() {
    Duration pause = PAUSE_MIN.multipliedBy(1L << Math.min(failures - 1, 10));
    return pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX;
  }

  /** Tells whether the region has reached its goal. */
  public boolean isSettled() {
    return !writing && !reopen && move.isEmpty() && state == (wantOpen ? State.OPEN : State.CLOSED);
  }

  /** Tells whether the region has yet to reach its goal. */
  public boolean isInTransition() {
    return !isSettled();
  }

  /**
   * Tells whether the region should be open but is not served. A region that is about to close is
   * still served.
   */
  boolean isMissed() {
    return wantOpen && (isRefusing() || state != State.OPEN && state != State.CLOSING);
  }

  /** Runs {@code action} once, when the region has reached its goal or is given up. */
  public void whenSettled(Runnable action) {
    settled.add(action);
  }

  void runSettled() {
    transition = Optional.empty();
    release();
  }

  /** Runs the tasks that wait for the region. */
  void release() {
    List<Runnable> actions = settled;
    settled = new ArrayList<>();
    actions.forEach(Runnable::run);
  }

  /** Tells whether its server has reported that it is open, and the catalog does not say so yet. */
  public boolean isPublishing() {
    return !reports.isEmpty();
  }

  void whenPublished(MasterLoop.Completion report) {
    reports.add(report);
  }

  void published() {
    List<MasterLoop.Completion> waiting = reports;
    reports = new ArrayList<>();
    waiting.forEach(MasterLoop.Completion::done);
  }

  void notPublished(IOException cause) {
    List<MasterLoop.Completion> waiting = reports;
    reports = new ArrayList<>();
    waiting.forEach(report -> report.failed(cause));
  }
}
