package dev.cairn.server.master.balancer;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.balancer.BalancePlan.Move;
import dev.cairn.server.master.balancer.BalancePlanner.Goal;
import dev.cairn.server.master.balancer.BalancerRun.Cause;
import dev.cairn.server.master.chore.Switches;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.hook.MasterHooks.Balanced;
import dev.cairn.server.master.hook.MasterHooks.RegionMove;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.remote.OnlineServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the balancer: periodically, soon after a server is new, when a server is loaded more than
 * others, and on request. Owned by the loop.
 *
 * <p>A run makes a plan ({@link BalancePlanner}), and begins its moves unless others are under way.
 * Runs that nobody asked for wait while regions are on their way or logs are being recovered.
 */
public final class RegionBalancer {
  private static final Logger LOG = LoggerFactory.getLogger(RegionBalancer.class);

  /** The time between two looks if the settings switch looks at the load off. */
  private static final Duration TICK = Duration.ofSeconds(5);

  /** How long servers must have reported before a run that nobody asked for. */
  private static final long REPORTS_MILLIS = 5_000;

  /** A region that has been on its way for longer does not delay runs. */
  private static final long STUCK_MILLIS = 60_000;

  /** How long a server must have been new, so that others that come with it are new together. */
  private static final int NEW_LOOKS = 2;

  /** How long a change of the load must last before a report says that it cannot be spread. */
  private static final Duration REPORT_AFTER = Duration.ofSeconds(45);

  private static final double RESTING = 4;

  private static final Balanced NOT_RUN =
      new Balanced(BalanceResponse.newBuilder().setBalancerRan(false).build(), List.of());

  private final MasterLoop loop;
  private final Clock clock;
  private final Assignments assignments;
  private final OnlineServers servers;
  private final Switches switches;
  private final BooleanSupplier isRecovering;
  private final Predicate<ServerName> isDraining;
  private final BalancerSettings settings;
  private final BalancePlanner planner;
  private final MoveQueue queue;
  private final UnaskedRuns unasked;
  private final BalancerLog log;
  private final LoadMemory memory = new LoadMemory();
  private final LoadWatch watch;

  /** When regions were last moved for load, by their encoded names. */
  private final Map<String, Long> movedNanos = new HashMap<>();

  private boolean hasLooked;
  private Set<ServerName> knownServers = Set.of();
  private int newLooks;
  private boolean hasSplit;
  private boolean isRequested;
  private Optional<String> notice = Optional.empty();
  private Optional<String> noticed = Optional.empty();

  /**
   * Creates a balancer that does nothing yet.
   *
   * @param isRecovering tells whether the log of a dead server is being recovered
   * @param isDraining tells whether a server is draining: it gets no regions, and the balancer does
   *     not move those that it has
   * @param hooks called around each run
   */
  public RegionBalancer(
      MasterLoop loop,
      Clock clock,
      Assignments assignments,
      OnlineServers servers,
      Switches switches,
      BooleanSupplier isRecovering,
      Predicate<ServerName> isDraining,
      BalancerSettings settings,
      MasterHooks hooks) {
    this.loop = loop;
    this.clock = clock;
    this.assignments = assignments;
    this.servers = servers;
    this.switches = switches;
    this.isRecovering = isRecovering;
    this.isDraining = isDraining;
    this.settings = settings;
    this.planner = new BalancePlanner(settings, assignments::place);
    this.log = new BalancerLog(clock, settings);
    this.watch = new LoadWatch(settings.excess(), settings.loadPause());
    this.unasked = new UnaskedRuns(loop, hooks);
    this.queue = new MoveQueue(assignments, settings, this::mayBegin);
  }

  /** Starts the runs that nobody asks for. */
  public void start() {
    if (settings.isPeriodic()) {
      loop.after(settings.period(), this::periodically);
      loop.after(tick(), this::look);
    }
  }

  private Duration tick() {
    return settings.lookPeriod().isZero() ? TICK : settings.lookPeriod();
  }

  private void periodically() {
    if (mayRun() && memory.isComplete(ready(), REPORTS_MILLIS)) {
      runUnasked(Cause.PERIOD, Goal.ALL, movesMax(), allowedForLoad(), moves -> {});
    }
    loop.after(settings.period(), this::periodically);
  }

  /**
   * Answers an administrator's request: plans, and begins the moves unless it is a dry run. Does
   * not run if the switch is off, or if regions are on their way and the request does not ignore
   * that.
   */
  public Balanced run(BalanceRequest request) {
    return run(request, node -> true);
  }

  /** As the other method, for moves of some of the regions only. */
  public Balanced run(BalanceRequest request, Predicate<RegionStateNode> which) {
    if (!mayRun(request, which)) {
      return NOT_RUN;
    }
    remember();
    List<Move> moves =
        run(
            request.getDryRun() ? Cause.DRY_RUN : Cause.REQUEST,
            Goal.ALL,
            movesMax(),
            Integer.MAX_VALUE,
            which);
    return balanced(moves, request.getDryRun());
  }

  private static Balanced balanced(List<Move> moves, boolean isDry) {
    return new Balanced(
        BalanceResponse.newBuilder()
            .setBalancerRan(true)
            .setMovesCalculated(moves.size())
            .setMovesExecuted(isDry ? 0 : moves.size())
            .build(),
        isDry
            ? List.of()
            : moves.stream()
                .map(move -> new RegionMove(move.region(), move.from(), move.to()))
                .toList());
  }

  /** Tells whether a request would be answered by a run now. */
  public boolean mayRun(BalanceRequest request) {
    return mayRun(request, node -> true);
  }

  private boolean mayRun(BalanceRequest request, Predicate<RegionStateNode> which) {
    return switches.isOn(Switch.BALANCER)
        && (request.getIgnoreRit()
            || assignments.all().stream().filter(which).noneMatch(RegionStateNode::isInTransition));
  }

  /** Regions were split or merged. Soon looks whether they are better apart. */
  public void replaced(List<RegionInfo> parents, List<RegionInfo> heirs) {
    memory.replaced(parents, heirs);
    hasSplit |= heirs.size() > parents.size();
  }

  /** Returns the last runs, and the counts of moves. */
  public BalancerLog log() {
    return log;
  }

  /** Returns how many moves wait or are under way. */
  public int moving() {
    return queue.size();
  }

  /** Returns why a server stays loaded more than others; empty if none is. */
  public Optional<String> notice() {
    return notice;
  }

  /** Returns the processor time of the calls of each ready server, nanoseconds per second. */
  public Map<ServerName, Double> loads() {
    Map<ServerName, Double> nanos = new TreeMap<>();
    ready().forEach(server -> nanos.put(server, 0.0));
    for (RegionStateNode node : assignments.all()) {
      if (node.server().filter(nanos::containsKey).isPresent()) {
        nanos.merge(node.server().get(), memory.figures(node.region()).nanos(), Double::sum);
      }
    }
    return nanos;
  }

  /** Returns the servers between which regions are balanced. */
  private List<ServerName> ready() {
    return servers.ready().stream().filter(isDraining.negate()).toList();
  }

  /** Returns how many moves for load a periodic run may make. */
  private int allowedForLoad() {
    return settings.lookPeriod().isZero()
        ? Integer.MAX_VALUE
        : watch.allowed(ready().size(), clock.nanoTime());
  }

  private int movesMax() {
    return (int) Math.max(1, assignments.all().size() * settings.movePart());
  }

  /** Looks at servers and their loads, and runs if there is a reason. */
  private void look() {
    remember();
    loop.after(tick(), this::look);
    Set<ServerName> ready = new HashSet<>(ready());
    if (!hasLooked) {
      if (!mayRun()) {
        return;
      }
      hasLooked = true;
      knownServers = withRegions(ready);
    }
    newLooks = knownServers.containsAll(ready) ? 0 : newLooks + 1;
    if (newLooks == 0) {
      knownServers = ready;
    }
    if (ready.size() < 2 || !mayRun()) {
      return;
    }
    if (newLooks >= NEW_LOOKS) {
      knownServers = ready;
      newLooks = 0;
      runUnasked(Cause.NEW_SERVER, Goal.ALL, movesMax(), Integer.MAX_VALUE, moves -> {});
    } else if (!settings.lookPeriod().isZero() && memory.isComplete(ready, REPORTS_MILLIS)) {
      lookAtLoads();
    }
  }

  /** Returns the servers with regions. All others count as new, even if older than this master. */
  private Set<ServerName> withRegions(Set<ServerName> ready) {
    return assignments.all().stream()
        .flatMap(node -> node.server().stream())
        .filter(ready::contains)
        .collect(Collectors.toSet());
  }

  private void lookAtLoads() {
    Map<ServerName, Double> loads = loads();
    LoadWatch.Look look = watch.look(loads, hasSplit, clock.nanoTime());
    LOG.debug("Processor time of servers, nanoseconds per second: {}", loads);
    if (look.above() <= settings.excess()) {
      notice = Optional.empty();
      noticed = Optional.empty();
    }
    boolean isSplit = hasSplit && look.above() > settings.excess();
    hasSplit = false;
    if (look.allowed() < 1 || !look.isUneven() && !isSplit) {
      return;
    }
    runUnasked(
        isSplit ? Cause.SPLIT : Cause.LOAD,
        Goal.LOAD,
        look.allowed(),
        look.allowed(),
        moves -> {
          if (moves == 0
              && look.worst().isPresent()
              && look.loadedNanos() >= REPORT_AFTER.toNanos()) {
            tellWhyNot(look.worst().get(), loads);
          }
        });
  }

  /** Reports once that no move spreads the load. */
  private void tellWhyNot(ServerName server, Map<ServerName, Double> loads) {
    double mean = loads.values().stream().mapToDouble(one -> one).average().orElseThrow();
    Optional<RegionStateNode> hottest =
        assignments.all().stream()
            .filter(node -> node.isAt(server))
            .max(
                Comparator.<RegionStateNode>comparingDouble(
                        node -> memory.figures(node.region()).nanos())
                    .thenComparing(node -> node.region().encodedName()));
    if (hottest.isEmpty()) {
      return;
    }
    RegionInfo region = hottest.get().region();
    String told =
        String.format(
            Locale.ROOT,
            "%s works %.0f %% more than the mean of all servers, and no move of a region changes"
                + " that enough. %s has %.0f %% of what a server does on average. %s",
            server.hostAndPort(),
            100 * (loads.get(server) / mean - 1),
            region,
            100 * memory.figures(region).nanos() / mean,
            memory
                .notice(region)
                .orElse("A split of this region would help, if its load can be divided."));
    notice = Optional.of(told);
    if (!noticed.equals(Optional.of(region.encodedName()))) {
      noticed = Optional.of(region.encodedName());
      LOG.warn("{}", told);
    }
  }

  /** Tells whether a run that nobody asked for may begin. */
  private boolean mayRun() {
    return !unasked.isWaiting() && isQuiet();
  }

  private boolean isQuiet() {
    if (!switches.isOn(Switch.BALANCER) || queue.isBusy() || isRecovering.getAsBoolean()) {
      return false;
    }
    long now = clock.currentTimeMillis();
    return assignments.all().stream()
        .noneMatch(
            node -> node.isInTransition() && now - node.inTransitionSinceMillis() < STUCK_MILLIS);
  }

  /** Takes the last reports of all servers. */
  private void remember() {
    for (ServerName server : servers.all()) {
      servers.lastReport(server).ifPresent(report -> memory.report(server, report));
    }
    memory.retain(servers.all(), assignments.all().stream().map(RegionStateNode::region).toList());
    long rest = settings.loadRest().toNanos();
    long now = clock.nanoTime();
    movedNanos.values().removeIf(moved -> now - moved > rest);
  }

  /** Plans and begins the moves, with hooks around the run. Then reports their number. */
  private void runUnasked(
      Cause cause, Goal goal, int movesMax, int loadMovesMax, IntConsumer planned) {
    unasked.run(
        () ->
            isQuiet() // still, if hooks took their time
                ? balanced(run(cause, goal, movesMax, loadMovesMax, node -> true), false)
                : NOT_RUN,
        planned);
  }

  /** Plans and begins the moves. */
  private List<Move> run(
      Cause cause, Goal goal, int movesMax, int loadMovesMax, Predicate<RegionStateNode> which) {
    long begun = clock.nanoTime();
    BalancePlan plan = planner.plan(snapshot(which), goal, movesMax, loadMovesMax);
    long nanos = clock.nanoTime() - begun;
    boolean isLook = goal == Goal.LOAD;
    if (!isLook || !plan.moves().isEmpty()) {
      log.ran(describe(cause, plan), nanos);
    }
    if (cause != Cause.DRY_RUN && !plan.moves().isEmpty()) {
      LOG.info(
          "The balancer moves {} regions ({}): {}",
          plan.moves().size(),
          cause.label(),
          plan.moves().get(0));
      plan.moves().forEach(move -> LOG.debug("Move of {}", move));
      isRequested = cause == Cause.REQUEST;
      List<Move> forLoad = plan.moves().stream().filter(Move::isForLoad).toList();
      forLoad.forEach(move -> movedNanos.put(move.region().encodedName(), begun));
      if (cause != Cause.REQUEST) {
        watch.moved(isLook ? plan.moves().size() : forLoad.size());
      }
      long balancingMax = settings.balancingMax().toNanos();
      queue.begin(plan.moves(), () -> clock.nanoTime() - begun > balancingMax);
    }
    return plan.moves();
  }

  /** Asked before each move; counts it if it may be made. */
  private boolean mayBegin(Move move) {
    boolean isFree = isRequested || move.isRequired();
    if (!switches.isOn(Switch.BALANCER)
        || !isFree && log.movesOfHour() >= settings.movesPerHour()) {
      return false;
    }
    log.moved();
    return true;
  }

  private ClusterSnapshot snapshot(Predicate<RegionStateNode> which) {
    List<ServerName> ready = ready();
    Set<ServerName> set = new HashSet<>(ready);
    List<ClusterSnapshot.Region> regions = new ArrayList<>();
    for (RegionStateNode node : assignments.all()) {
      boolean isThere =
          node.state() == State.OPEN
              || node.state() == State.OPENING
              || node.state() == State.CLOSING;
      if (isThere && node.server().filter(set::contains).isPresent()) {
        boolean isMovable =
            node.state() == State.OPEN
                && !node.isInTransition()
                && !node.isHeld()
                && !node.region().table().isMeta()
                && which.test(node);
        regions.add(
            new ClusterSnapshot.Region(
                node.region(),
                node.server().get(),
                memory.figures(node.region()),
                isMovable,
                movedNanos.containsKey(node.region().encodedName()) ? RESTING : 1,
                memory.localities(node.region())));
      }
    }
    regions.sort(Comparator.comparing(region -> region.info().encodedName()));
    return new ClusterSnapshot(ready, regions, assignments.servers());
  }

  private BalancerRun describe(Cause cause, BalancePlan plan) {
    String result =
        plan.moves().size()
            + (plan.moves().size() == 1 ? " region is" : " regions are")
            + (cause == Cause.DRY_RUN ? " to be moved, which a dry run leaves out. " : " moved. ");
    return new BalancerRun(
        cause,
        clock.currentTimeMillis(),
        plan.moves().stream().map(Move::toString).toList(),
        (plan.moves().isEmpty() ? "" : result) + plan.end(),
        plan.before().total(),
        plan.after().total(),
        plan.before().describe(),
        plan.after().describe(),
        plan.before().cost(),
        plan.after().cost(),
        plan.candidates(),
        plan.refusals());
  }
}
