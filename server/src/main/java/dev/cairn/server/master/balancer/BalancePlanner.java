package dev.cairn.server.master.balancer;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.balancer.BalancePlan.Imbalance;
import dev.cairn.server.master.balancer.BalancePlan.Move;
import dev.cairn.server.master.placement.Placement;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.placement.PlacementRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
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
 * <p>The cost falls with each move by a minimum, so a plan ends, and the next one is empty unless
 * the snapshot changes. Usually, only regions of the most loaded servers and the least loaded
 * servers are compared. All regions and servers are compared if these gain nothing.
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
   * @param loadMovesMax the most moves of them that are made for processor time
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

    private final Map<Integer, Hop> hops = new LinkedHashMap<>();
    private final Map<String, Integer> refusals = new TreeMap<>();
    private int required;
    private int loadMoves;
    private long candidates;

    /** The moves that were made, those that were undone included. */
    private long makings;

    private long makingsAtForgetting;

    /** The last move of a region. */
    private record Hop(PlacementDecision decision, boolean isRequired, boolean isForLoad) {}

    /** A move that may be made; the best one so far. */
    private static final class Best {
      private int region = -1;
      private int to = -1;
      private double gain;
    }

    Search(ClusterSnapshot snapshot, Goal goal, int movesMax, int loadMovesMax) {
      this.cluster = new PlannedCluster(snapshot, settings.weights());
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
          isComplete = improve();
          end = isComplete ? "No further move gains enough." : "The limit of moves is reached.";
        }
        if (!refusals.isEmpty()) {
          end += " Placement rules refused moves: " + String.join("; ", refusals.keySet()) + ".";
        }
      }
      return new BalancePlan(
          moves(), before, cluster.imbalance(), candidates, refusals, isComplete, end);
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
        make(region, to, "a rule requires it: " + why, true, 0);
      }
    }

    /** Makes moves until none gains enough. Returns false if it ended at the limit. */
    private boolean improve() {
      // The limits on rounds cannot be reached while the cost falls, unless rules contradict.
      for (long rounds = 0; rounds < 4L * movesMax + 1_000; rounds++) {
        if (cluster.movedCount() - required >= movesMax) {
          return false;
        }
        if (!improveQuickly()
            && !improveAnywhere()
            && !swapForLoad()
            && !swapForTables()
            && !forgetRefusals()) {
          return true;
        }
      }
      return false;
    }

    /** Forgets refusals if moves were made since the last time. Returns whether there were any. */
    private boolean forgetRefusals() {
      if (makings == makingsAtForgetting) {
        return false;
      }
      makingsAtForgetting = makings;
      boolean any = false;
      for (byte[] known : answers) {
        for (int s = 0; known != null && s < known.length; s++) {
          if (known[s] == REFUSED) {
            known[s] = 0;
            any = true;
          }
        }
      }
      return any;
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
      if (isBetter && isWanted(region, to, gain) && isAllowed(region, to)) {
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

    private boolean isWanted(int region, int to, double gain) {
      double load = cluster.loadGain(region, to);
      if (isForLoad(gain, load) && loadMoves >= loadMovesMax) {
        return false;
      }
      return goal == Goal.ALL
          || cluster.loadShare(region) >= EXCESS_PART * settings.excess()
              && load > Math.max(GAIN_LEAST, 2 * settings.gainMin() * cluster.loadWeight(region));
    }

    /** Tells whether a move is made for processor time: most of the gain is that. */
    private static boolean isForLoad(double gain, double loadGain) {
      return loadGain > gain / 2;
    }

    private boolean make(Best best) {
      return best.region >= 0
          && (make(best.region, best.to, cluster.reason(best.region, best.to), false, best.gain)
              || !isAllowed(best.region, best.to)); // so that the next search finds another one
    }

    /** Makes a move, unless rules refuse it after the earlier ones. */
    private boolean make(int region, int to, String reason, boolean isRequired, double gain) {
      PlacementDecision asked = ask(region, to);
      if (asked.server().isEmpty()) {
        answers[region][to] = REFUSED;
        return false;
      }
      boolean isForLoad = !isRequired && isForLoad(gain, cluster.loadGain(region, to));
      loadMoves += isForLoad ? 1 : 0;
      Hop before = hops.remove(region);
      boolean stays = before != null && before.isRequired();
      PlacementDecision decision =
          new PlacementDecision(
              asked.region(),
              asked.asked(),
              asked.server(),
              stays ? before.decision().reason() : reason,
              asked.refused());
      cluster.move(region, to);
      hops.put(region, new Hop(decision, isRequired || stays, isForLoad));
      makings++;
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
              double gain = swapGain(region, back);
              if (gain > one.gain + GAIN_LEAST && isSwapAllowed(region, back)) {
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
            double now = swapGain(region, back);
            if (now > gain + GAIN_LEAST && isSwapAllowed(region, back)) {
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

    /** Returns the gain if two regions change places; 0 if it is not enough. */
    private double swapGain(int region, int back) {
      candidates++;
      int from = cluster.at(region);
      int to = cluster.at(back);
      double gain =
          cluster.gain(region, to) + cluster.gain(back, from) + cluster.gainTogether(region, back);
      double carried = Math.abs(cluster.weight(region) - cluster.weight(back)) / 2;
      if (gain < gainMin(region, carried) + gainMin(back, carried)) {
        return 0;
      }
      double load =
          cluster.loadGain(region, to)
              + cluster.loadGain(back, from)
              + cluster.loadGainTogether(region, back);
      boolean isWanted =
          isForLoad(gain, load) ? loadMoves < loadMovesMax : goal == Goal.ALL && gain > 0;
      return isWanted ? gain : 0;
    }

    private boolean isSwapAllowed(int region, int back) {
      return isAllowed(region, cluster.at(back)) && isAllowed(back, cluster.at(region));
    }

    /** Returns true also if rules refuse it, so that the next search finds another one. */
    private boolean swap(int region, int back, double gain) {
      int from = cluster.at(region);
      int to = cluster.at(back);
      String reason = cluster.reason(region, to);
      Optional<Hop> before = Optional.ofNullable(hops.get(region));
      if (make(region, to, reason, false, gain)
          && !make(back, from, "it changes places with " + name(region), false, 0)) {
        cluster.move(region, from);
        hops.remove(region);
        before.ifPresent(hop -> hops.put(region, hop));
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

    private List<Move> moves() {
      List<Move> moves = new ArrayList<>();
      hops.forEach(
          (region, hop) -> {
            if (cluster.at(region) != cluster.origin(region)) {
              moves.add(
                  new Move(
                      cluster.region(region).info(),
                      cluster.server(cluster.origin(region)),
                      hop.decision(),
                      hop.isRequired(),
                      hop.isForLoad()));
            }
          });
      return moves;
    }
  }
}
