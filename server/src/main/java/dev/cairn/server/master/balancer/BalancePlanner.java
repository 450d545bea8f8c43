package dev.cairn.server.master.balancer;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.balancer.BalancePlan.Imbalance;
import dev.cairn.server.master.placement.Placement;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.placement.PlacementRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Plans moves of regions: pure, deterministic, without a clock.
 *
 * <p>First come the moves that rules require: a region leaves a server that it may not be at. Then
 * follows, again and again, the move that lowers the cost most ({@link PlannedCluster}), as long as
 * it gains enough: after the move, the receiver must still be below the giver by {@link
 * BalancerSettings#gainMin} on the weighted average. If no region can move alone, two change
 * places. {@link Placement} is asked before each move, with the planned moves as if they were made.
 *
 * <p>Usually, only regions of the most loaded servers and the least loaded servers are compared.
 * All regions and servers are compared if these gain nothing.
 *
 * <p>The last search of a plan starts from the placement alone: it computes the sums of servers and
 * asks the rules again. It finds nothing, unless the plan ends at a limit. The next plan begins
 * with the same search, so it is empty unless loads change, or rules now refuse a region its
 * server. The search starts again only after moves, and each move lowers the cost by a minimum, so
 * a plan ends.
 */
final class BalancePlanner {
  private static final int GIVERS = 3;
  private static final int RECEIVERS = 8;
  private static final int CANDIDATES = 256;
  private static final int SWAP_SERVERS = 4;
  private static final int SWAP_REGIONS = 40;
  private static final double GAIN_LEAST = 1e-9;

  /**
   * A region that moves between two runs has at least this part of the excess of a loaded server.
   */
  private static final double EXCESS_PART = 0.25;

  private static final byte ALLOWED = 1;
  private static final byte REFUSED = 2;

  private final BalancerSettings settings;
  private final Placement placement;

  /** What a plan is for. */
  enum Goal {
    /** All that the settings weigh, if the servers are unequal enough. */
    ALL,
    /** The processor time of servers. */
    LOAD
  }

  BalancePlanner(BalancerSettings settings, Placement placement) {
    this.settings = settings;
    this.placement = placement;
  }

  /**
   * Plans moves.
   *
   * @param movesMax the most regions to move; required moves do not count
   * @param loadMovesMax the most moves of them that are made for processor time; two regions that
   *     change places may exceed either limit by one
   */
  BalancePlan plan(ClusterSnapshot snapshot, Goal goal, int movesMax, int loadMovesMax) {
    return new Search(snapshot, goal, movesMax, loadMovesMax).plan();
  }

  /** One run. */
  private final class Search {
    private final PlannedCluster cluster;
    private final Goal goal;
    private final int movesMax;
    private final int loadMovesMax;

    /** By region and server: 0 if not asked, {@link #ALLOWED} or {@link #REFUSED}. */
    private final byte[][] answers;

    private final boolean[] isMovable;

    /** By region: the least gain of a move. */
    private final double[] gainMin;

    private final PlannedMoves moves;
    private final Map<String, Integer> refusals = new TreeMap<>();
    private int required;
    private long candidates;

    /** The steps that were made: several for a region that moves again. */
    private long steps;

    /** The steps before the search last started. */
    private long stepsAtStart;

    /** Whether the limit of moves for processor time prevented a move that gains, this round. */
    private boolean isHeldBack;

    /** A move that may be made; the best one so far. */
    private static final class Best {
      private int region = -1;
      private int to = -1;
      private double gain;
    }

    Search(ClusterSnapshot snapshot, Goal goal, int movesMax, int loadMovesMax) {
      this.cluster = new PlannedCluster(snapshot, settings.weights());
      this.moves = new PlannedMoves(cluster);
      this.goal = goal;
      this.movesMax = movesMax;
      this.loadMovesMax = loadMovesMax;
      this.answers = new byte[cluster.regionTotal()][];
      this.isMovable = new boolean[cluster.regionTotal()];
      this.gainMin = new double[cluster.regionTotal()];
      for (int r = 0; r < cluster.regionTotal(); r++) {
        isMovable[r] = cluster.region(r).isMovable();
        gainMin[r] = gainMin(r, cluster.weight(r));
      }
    }

    BalancePlan plan() {
      Imbalance before = cluster.imbalance();
      boolean isComplete = true;
      String end = "There is one server, or none.";
      if (cluster.serverCount() > 1) {
        moveAway();
        if (goal == Goal.ALL
            && required == 0
            && before.total() < settings.costMin()
            && !cluster.isSloppy(settings.slop())) {
          end =
              String.format(
                  Locale.ROOT,
                  "The imbalance %.4f is below the minimum %.4f"
                      + " (%s), and each server's number of regions is within %s.",
                  before.total(),
                  settings.costMin(),
                  BalancerSettings.COST_MIN.name(),
                  BalancerSettings.SLOP.name());
        } else {
          Optional<String> limit = improve();
          isComplete = limit.isEmpty();
          end = limit.orElse("No further move gains enough.");
        }
        if (!refusals.isEmpty()) {
          end += " Placement rules refused moves: " + String.join("; ", refusals.keySet()) + ".";
        }
      }
      return new BalancePlan(
          moves.list(), before, cluster.imbalance(), candidates, refusals, isComplete, end);
    }

    /** Moves regions away from servers that rules refuse them. */
    private void moveAway() {
      for (int r = 0; r < cluster.regionTotal(); r++) {
        if (isMovable[r] && !ask(r, cluster.at(r)).server().isPresent()) {
          moveAway(r);
        }
      }
      required = cluster.movedCount();
    }

    private void moveAway(int region) {
      int to = -1;
      double most = 0;
      for (int s = 0; s < cluster.serverCount(); s++) {
        if (s != cluster.at(region) && isAllowed(region, s)) {
          double gain = cluster.gain(region, s);
          if (to < 0 || gain > most) {
            to = s;
            most = gain;
          }
        }
      }
      if (to >= 0) {
        String why = ask(region, cluster.at(region)).reason();
        make(region, to, "a rule requires it: " + why, true, false);
      }
    }

    /**
     * Makes moves until none gains enough. Returns the limit that it reached, in words.
     *
     * <p>A round makes moves, learns that rules refuse a move, or starts the search again after
     * moves. The falling cost bounds the moves, and the number of regions and servers bounds the
     * refusals between two moves. The limit of rounds, 1,000 and four for each allowed move, is for
     * rules that refuse many moves after each one that is made. At that limit, the plan is not
     * complete, and the next plan continues.
     */
    private Optional<String> improve() {
      for (long rounds = 0; rounds < 4L * movesMax + 1_000; rounds++) {
        if (cluster.movedCount() - required >= movesMax) {
          return Optional.of("The limit of moves is reached.");
        }
        isHeldBack = false;
        if (!improveQuickly()
            && !improveAnywhere()
            && !swapForLoad()
            && !swapForTables()
            && !startAgain()) {
          return isHeldBack
              ? Optional.of("The limit of moves for processor time is reached.")
              : Optional.empty();
        }
      }
      return Optional.of("The limit of rounds is reached.");
    }

    /**
     * Starts the search again from the placement alone, as the next plan would: forgets the answers
     * of rules, and removes the rounding errors of moves from the sums.
     *
     * @return false if nothing was moved since the last start: the search is at its end
     */
    private boolean startAgain() {
      if (steps == stepsAtStart) {
        return false;
      }
      stepsAtStart = steps;
      cluster.sumAgain();
      Arrays.fill(answers, null);
      return true;
    }

    private boolean improveQuickly() {
      int[] servers = cluster.byPressure();
      Best best = new Best();
      for (int g = 0; g < Math.min(GIVERS, servers.length); g++) {
        int hosted = cluster.hosted(servers[g]);
        int step = Math.max(1, hosted / CANDIDATES);
        for (int i = 0; i < hosted; i += step) {
          int region = cluster.regionAt(servers[g], i);
          int least = Math.max(g + 1, servers.length - RECEIVERS);
          for (int v = servers.length - 1; v >= least; v--) {
            consider(region, servers[v], best);
          }
        }
      }
      return make(best);
    }

    /** Makes the best move of each server. Returns whether there was any. */
    private boolean improveAnywhere() {
      boolean any = false;
      cluster.findLeast();
      for (int giver : cluster.byPressure()) {
        if (cluster.movedCount() - required >= movesMax) {
          break;
        }
        Best best = new Best();
        for (int i = 0; i < cluster.hosted(giver); i++) {
          int region = cluster.regionAt(giver, i);
          if (isMovable[region] && cluster.gainMost(region) >= gainMin[region]) {
            for (int s = 0; s < cluster.serverCount(); s++) {
              consider(region, s, best);
            }
          }
        }
        any |= make(best);
      }
      return any;
    }

    private void consider(int region, int to, Best best) {
      if (to == cluster.at(region) || !isMovable[region]) {
        return;
      }
      candidates++;
      double gain = cluster.gain(region, to);
      if (gain < gainMin[region] || gain < best.gain - GAIN_LEAST) {
        return;
      }
      boolean isBetter =
          gain > best.gain + GAIN_LEAST
              || region < best.region
              || region == best.region && to < best.to;
      if (!isBetter) {
        return;
      }
      double load = cluster.loadGain(region, to);
      if (!isWanted(region, load)) {
        return;
      }
      if (exceedsLimit(gain, load)) {
        isHeldBack = isHeldBack || isAllowed(region, to);
      } else if (isAllowed(region, to)) {
        best.region = region;
        best.to = to;
        best.gain = gain;
      }
    }

    /**
     * Returns the least gain of a move.
     *
     * @param weight what it carries from server to server
     */
    private double gainMin(int region, double weight) {
      double least =
          2 * settings.gainMin() * weight + settings.weights().move() / cluster.meanRegions();
      return Math.max(GAIN_LEAST, least * cluster.region(region).reluctance());
    }

    private boolean isWanted(int region, double load) {
      return goal == Goal.ALL
          || cluster.loadShare(region) >= EXCESS_PART * settings.excess()
              && load > Math.max(GAIN_LEAST, 2 * settings.gainMin() * cluster.loadWeight(region));
    }

    /** Tells whether a move is made for processor time: most of the gain is that. */
    private static boolean isForLoad(double gain, double loadGain) {
      return loadGain > gain / 2;
    }

    /** Tells whether a move would be one more for processor time than the limit allows. */
    private boolean exceedsLimit(double gain, double loadGain) {
      return isForLoad(gain, loadGain) && moves.loadCount() >= loadMovesMax;
    }

    private boolean make(Best best) {
      if (best.region < 0) {
        return false;
      }
      boolean isForLoad = isForLoad(best.gain, cluster.loadGain(best.region, best.to));
      String reason = cluster.reason(best.region, best.to);
      return make(best.region, best.to, reason, false, isForLoad)
          || !isAllowed(best.region, best.to); // so that the next search finds another one
    }

    /** Makes a move, unless rules refuse it after the earlier ones. */
    private boolean make(int region, int to, String reason, boolean isRequired, boolean isForLoad) {
      PlacementDecision asked = ask(region, to);
      if (asked.server().isEmpty()) {
        answers[region][to] = REFUSED;
        return false;
      }
      moves.make(region, to, asked, reason, isRequired, isForLoad);
      steps++;
      return true;
    }

    /** Lets regions of the most and the least loaded servers change places. */
    private boolean swapForLoad() {
      int[] servers = cluster.byPressure();
      int end = servers.length - 1;
      Best one = new Best();
      one.gain = 2 * settings.gainMin() * settings.gainMin() * cluster.loadWeight();
      int other = -1;
      for (int g = 0; g < Math.min(SWAP_SERVERS, servers.length); g++) {
        List<Integer> given = sample(servers[g]);
        for (int v = end; v > Math.max(g, end - SWAP_SERVERS); v--) {
          for (int back : sample(servers[v])) {
            for (int region : given) {
              double gain = swapGain(region, back, one.gain);
              if (gain > 0 && isSwapAllowed(region, back)) {
                one.region = region;
                one.to = servers[v];
                one.gain = gain;
                other = back;
              }
            }
          }
        }
      }
      return other >= 0 && swap(one.region, other, one.gain);
    }

    /** Lets regions of different tables change places, once for each table. */
    private boolean swapForTables() {
      if (goal == Goal.LOAD) {
        return false;
      }
      boolean any = false;
      for (int t = 0; t < cluster.tableCount(); t++) {
        int most = 0;
        int least = 0;
        for (int s = 1; s < cluster.serverCount(); s++) {
          most = cluster.hostedOfTable(s, t) > cluster.hostedOfTable(most, t) ? s : most;
          least = cluster.hostedOfTable(s, t) < cluster.hostedOfTable(least, t) ? s : least;
        }
        if (cluster.isSloppy(settings.slop(), t, most, least)
            && cluster.movedCount() - required < movesMax) {
          any |= swapForTable(t, most, least);
        }
      }
      return any;
    }

    private boolean swapForTable(int table, int most, int least) {
      double gain = 0;
      int one = -1;
      int two = -1;
      List<Integer> backs = sample(least);
      for (int region : sorted(most)) {
        if (cluster.tableOf(region) != table) {
          continue;
        }
        for (int back : backs) {
          if (cluster.tableOf(back) != table) {
            double now = swapGain(region, back, gain);
            if (now > 0 && isSwapAllowed(region, back)) {
              gain = now;
              one = region;
              two = back;
            }
          }
        }
        if (one >= 0) {
          return swap(one, two, gain);
        }
      }
      return false;
    }

    /**
     * Returns the gain if two regions change places; 0 if it is not enough.
     *
     * @param least a gain that it must exceed
     */
    private double swapGain(int region, int back, double least) {
      candidates++;
      int from = cluster.at(region);
      int to = cluster.at(back);
      double gain =
          cluster.gain(region, to) + cluster.gain(back, from) + cluster.gainTogether(region, back);
      double carried = Math.abs(cluster.weight(region) - cluster.weight(back)) / 2;
      if (gain <= least + GAIN_LEAST || gain < gainMin(region, carried) + gainMin(back, carried)) {
        return 0;
      }
      double load = swapLoadGain(region, back);
      if (goal == Goal.LOAD && !isForLoad(gain, load)) {
        return 0;
      }
      if (exceedsLimit(gain, load)) {
        isHeldBack = isHeldBack || isSwapAllowed(region, back);
        return 0;
      }
      return gain;
    }

    private double swapLoadGain(int region, int back) {
      return cluster.loadGain(region, cluster.at(back))
          + cluster.loadGain(back, cluster.at(region))
          + cluster.loadGainTogether(region, back);
    }

    private boolean isSwapAllowed(int region, int back) {
      return isAllowed(region, cluster.at(back)) && isAllowed(back, cluster.at(region));
    }

    /** Returns true also if rules refuse it, so that the next search finds another one. */
    private boolean swap(int region, int back, double gain) {
      int from = cluster.at(region);
      int to = cluster.at(back);
      boolean isForLoad = isForLoad(gain, swapLoadGain(region, back));
      String reason = cluster.reason(region, to);
      cluster.move(region, to);
      boolean isRefused = ask(back, from).server().isEmpty();
      cluster.move(region, from);
      if (isRefused) {
        answers[back][from] = REFUSED;
      } else if (make(region, to, reason, false, isForLoad)) {
        make(back, from, "it changes places with " + name(region), false, isForLoad);
      }
      return true;
    }

    private String name(int region) {
      return cluster.region(region).info().encodedName();
    }

    /** Returns the movable regions of a server, those with the largest weights first. */
    private List<Integer> sorted(int server) {
      List<Integer> regions = new ArrayList<>();
      for (int i = 0; i < cluster.hosted(server); i++) {
        int region = cluster.regionAt(server, i);
        if (isMovable[region]) {
          regions.add(region);
        }
      }
      regions.sort(
          Comparator.<Integer>comparingDouble(cluster::weight)
              .reversed()
              .thenComparing(Comparator.naturalOrder()));
      return regions;
    }

    /** Returns some movable regions of a server, from all sizes. */
    private List<Integer> sample(int server) {
      List<Integer> all = sorted(server);
      if (all.size() <= SWAP_REGIONS) {
        return all;
      }
      List<Integer> some = new ArrayList<>();
      for (int i = 0; i < SWAP_REGIONS; i++) {
        some.add(all.get((int) ((long) i * all.size() / SWAP_REGIONS)));
      }
      return some;
    }

    private boolean isAllowed(int region, int to) {
      byte[] known = answers[region];
      if (known == null) {
        known = new byte[cluster.serverCount()];
        answers[region] = known;
      }
      if (known[to] == 0) {
        PlacementDecision decision = ask(region, to);
        known[to] = decision.server().isPresent() ? ALLOWED : REFUSED;
        decision
            .refused()
            .forEach(
                (server, why) -> refusals.merge(server.hostAndPort() + " " + why, 1, Integer::sum));
      }
      return known[to] == ALLOWED;
    }

    private PlacementDecision ask(int region, int to) {
      ServerName target = cluster.server(to);
      return placement.place(
          new PlacementRequest(
              cluster.region(region).info(),
              PlacementReason.BALANCE,
              Optional.of(cluster.server(cluster.at(region))),
              Optional.of(target),
              0,
              cluster));
    }
  }
}
