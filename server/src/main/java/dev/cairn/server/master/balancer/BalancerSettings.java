package dev.cairn.server.master.balancer;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * When and how regions are moved.
 *
 * @param period the time between two runs; zero if the balancer runs on request only
 * @param weights what counts, and how much
 * @param slop the part of the mean by which a server's number of regions may differ without a run
 * @param costMin the imbalance from which a run makes moves
 * @param byTable whether each table's regions are spread, instead of all regions together
 * @param transitionsPart the part of all regions that may be moved at the same time
 * @param movePart the part of all regions that one run may move
 * @param balancingMax how long the moves of a run may be begun
 * @param gainMin the part of the mean by which the receiver must be below the giver after a move
 * @param lookPeriod the time between two looks at the load of servers; zero for none
 * @param excess the part of the mean by which a loaded server exceeds the mean, and an idle one is
 *     below it
 * @param loadPause the time in which one move for load is allowed, on average
 * @param loadRest how long a region that was moved for its load stays, unless the gain is large
 * @param movesAtOnce the most regions that the balancer moves at the same time
 * @param movesPerHour the most moves within an hour that nobody asked for
 * @param decisions how many runs with moves clients can read; 0 if they cannot
 * @param rejections how many runs without moves clients can read; 0 if they cannot
 * @param retains whether a region returns to the address of its server after that was restarted
 */
public record BalancerSettings(
    Duration period,
    Weights weights,
    double slop,
    double costMin,
    boolean byTable,
    double transitionsPart,
    double movePart,
    Duration balancingMax,
    double gainMin,
    Duration lookPeriod,
    double excess,
    Duration loadPause,
    Duration loadRest,
    int movesAtOnce,
    int movesPerHour,
    int decisions,
    int rejections,
    boolean retains) {

  /**
   * How much each part of the cost counts.
   *
   * @param measures of what servers have in sum
   * @param tables of the regions of each table
   * @param locality of files on other machines
   * @param move of a move itself
   */
  record Weights(Map<Measure, Double> measures, double tables, double locality, double move) {
    double of(Measure measure) {
      return measures.getOrDefault(measure, 0.0);
    }
  }

  private static final String STOCHASTIC = "hbase.master.balancer.stochastic.";

  static final ConfigKey<Long> PERIOD_MILLIS =
      ConfigKey.number(
          "hbase.balancer.period",
          300_000,
          Integer.MIN_VALUE,
          Integer.MAX_VALUE,
          "Time between two runs of the balancer, in milliseconds. With 0 or less, regions are"
              + " moved on request only: no periodic runs, none for new servers, and no looks at"
              + " the load.");

  static final ConfigKey<Long> BALANCING_MAX_MILLIS =
      ConfigKey.number(
          "hbase.balancer.max.balancing",
          0,
          0,
          Integer.MAX_VALUE,
          "Time within which the moves of a run must begin, in milliseconds; later ones are left"
              + " out. 0 means the period of the balancer, or 5 minutes if it has none.");

  static final ConfigKey<Double> SLOP =
      positive(
          "hbase.regions.slop",
          "0.2",
          "Part of the mean by which a server's number of regions may differ from it without"
              + " causing a run.");

  static final ConfigKey<Boolean> BY_TABLE =
      ConfigKey.flag(
          "hbase.master.loadbalance.bytable",
          false,
          "Whether the regions of each table are spread over all servers, with the weight"
              + " hbase.master.balancer.stochastic.regionCountCost, instead of all regions"
              + " together.");

  static final ConfigKey<Double> TRANSITIONS_PART =
      ConfigKey.fraction(
          "hbase.master.balancer.maxRitPercent",
          "1.0",
          "Part of all regions that may be in transition at the same time while the balancer"
              + " moves regions; one region may always be.");

  static final ConfigKey<Double> MOVE_PART =
      ConfigKey.fraction(
          STOCHASTIC + "maxMovePercent", "1.0", "Part of all regions that one run may move.");

  static final ConfigKey<Double> COST_MIN =
      positive(
          STOCHASTIC + "minCostNeedBalance",
          "0.025",
          "Imbalance, 0 to 1, from which a periodic or requested run moves regions. Below it, a"
              + " run moves regions only if a server has no regions, or a number outside"
              + " hbase.regions.slop, or a region that placement rules refuse it.");

  static final ConfigKey<Double> CPU =
      positive(
          "cairn.balancer.load.cost",
          "50000",
          "Weight of the processor time that the calls of regions take: 100 times that of the"
              + " number of regions. 0 ignores it.");

  static final ConfigKey<Double> BYTES =
      positive(
          "cairn.balancer.bytes.cost",
          "5",
          "Weight of the bytes of cells that the calls of regions read and write.");

  static final ConfigKey<Double> REGION_COUNT =
      positive(STOCHASTIC + "regionCountCost", "500", "Weight of the servers' numbers of regions.");

  static final ConfigKey<Double> MOVE =
      positive(
          STOCHASTIC + "moveCost",
          "7",
          "Weight of a move itself, so that moves with little gain are not made.");

  static final ConfigKey<Double> LOCALITY =
      positive(
          STOCHASTIC + "localityCost",
          "25",
          "Weight of store files that are not stored on the machine of the region's server.");

  static final ConfigKey<Double> TABLES =
      positive(
          STOCHASTIC + "tableSkewCost",
          "35",
          "Weight of the servers' numbers of regions of each table.");

  static final ConfigKey<Double> READS =
      positive(STOCHASTIC + "readRequestCost", "5", "Weight of read requests per second.");

  static final ConfigKey<Double> WRITES =
      positive(STOCHASTIC + "writeRequestCost", "5", "Weight of write requests per second.");

  static final ConfigKey<Double> MEMSTORES =
      positive(STOCHASTIC + "memstoreSizeCost", "5", "Weight of the size of memstores.");

  static final ConfigKey<Double> STOREFILES =
      positive(STOCHASTIC + "storefileSizeCost", "5", "Weight of the size of store files.");

  static final ConfigKey<Double> GAIN_MIN =
      ConfigKey.fraction(
          "cairn.balancer.gain.min",
          "0.05",
          "Minimum gain of a move: part of the mean by which its receiver is still below the giver"
              + " after the move, on the weighted average of all measures.");

  static final ConfigKey<Long> LOOK_MILLIS =
      ConfigKey.number(
          "cairn.balancer.look.period",
          5_000,
          0,
          3_600_000,
          "Time between two looks at the load of servers, in milliseconds; 0 for no looks. A"
              + " server whose load exceeds cairn.balancer.load.excess in two looks running gives"
              + " regions away if that helps.");

  static final ConfigKey<Double> EXCESS =
      ConfigKey.fraction(
          "cairn.balancer.load.excess",
          "0.1",
          "Part of the mean processor time of all servers. Between two runs, a server that exceeds"
              + " the mean by more than this part gives regions away, and one that is below it by"
              + " more than this part gets some.");

  static final ConfigKey<Long> LOAD_PAUSE_MILLIS =
      ConfigKey.number(
          "cairn.balancer.load.pause",
          60_000,
          0,
          86_400_000,
          "Time in which one move for load is allowed between two runs, in milliseconds. Allowances"
              + " that were not used are kept: up to 16, or four for each server, so that a change"
              + " of the load is answered at once.");

  static final ConfigKey<Long> LOAD_REST_MILLIS =
      ConfigKey.number(
          "cairn.balancer.load.rest",
          600_000,
          0,
          86_400_000,
          "Time after a move for load in which the same region is moved again only for four times"
              + " the minimum gain, in milliseconds.");

  static final ConfigKey<Long> MOVES_AT_ONCE =
      ConfigKey.number(
          "cairn.balancer.moves.at.once",
          10,
          1,
          10_000,
          "Maximum regions that the balancer moves at the same time.");

  static final ConfigKey<Long> MOVES_PER_HOUR =
      ConfigKey.number(
          "cairn.balancer.moves.per.hour",
          5_000,
          0,
          Integer.MAX_VALUE,
          "Maximum moves within an hour that the balancer makes by itself. Moves that a placement"
              + " rule or an administrator requires do not count.");

  static final ConfigKey<Boolean> DECISIONS =
      ConfigKey.flag(
          "hbase.master.balancer.decision.buffer.enabled",
          false,
          "Whether clients can read the last runs of the balancer with moves (shell:"
              + " get_balancer_decisions). The master's page shows them in any case.");

  static final ConfigKey<Boolean> REJECTIONS =
      ConfigKey.flag(
          "hbase.master.balancer.rejection.buffer.enabled",
          false,
          "Whether clients can read why the last runs of the balancer made no moves (shell:"
              + " get_balancer_rejections). The master's page shows them in any case.");

  static final ConfigKey<Long> DECISION_COUNT =
      ConfigKey.number(
          "hbase.master.balancer.decision.queue.size",
          250,
          1,
          100_000,
          "Runs with moves that the master keeps for clients.");

  static final ConfigKey<Long> REJECTION_COUNT =
      ConfigKey.number(
          "hbase.master.balancer.rejection.queue.size",
          250,
          1,
          100_000,
          "Runs without moves that the master keeps for clients.");

  static final ConfigKey<Boolean> RETAIN =
      ConfigKey.flag(
          "hbase.master.startup.retainassign",
          true,
          "Whether a region whose server was restarted opens again at the same host and port, if"
              + " the server is back by then.");

  /** The defaults. */
  public static final BalancerSettings DEFAULTS = of(new SiteConfig(Map.of()));

  /** Returns settings with which regions are moved on request only. */
  public static BalancerSettings onRequest() {
    return of(new SiteConfig(Map.of(PERIOD_MILLIS.name(), "0")));
  }

  /** Reads the settings of a site. */
  public static BalancerSettings of(SiteConfig config) {
    long period = Math.max(0, config.get(PERIOD_MILLIS));
    long balancing = config.get(BALANCING_MAX_MILLIS);
    if (balancing == 0) {
      balancing = period > 0 ? period : Duration.ofMinutes(5).toMillis();
    }
    boolean byTable = config.get(BY_TABLE);
    Map<Measure, Double> measures = new EnumMap<>(Measure.class);
    measures.put(Measure.CPU, config.get(CPU));
    measures.put(Measure.READS, config.get(READS));
    measures.put(Measure.WRITES, config.get(WRITES));
    measures.put(Measure.BYTES, config.get(BYTES));
    measures.put(Measure.MEMSTORE, config.get(MEMSTORES));
    measures.put(Measure.STOREFILES, config.get(STOREFILES));
    measures.put(Measure.REGIONS, byTable ? 0.0 : config.get(REGION_COUNT));
    return new BalancerSettings(
        Duration.ofMillis(period),
        new Weights(
            Map.copyOf(measures),
            config.get(byTable ? REGION_COUNT : TABLES),
            config.get(LOCALITY),
            config.get(MOVE)),
        config.get(SLOP),
        config.get(COST_MIN),
        byTable,
        config.get(TRANSITIONS_PART),
        config.get(MOVE_PART),
        Duration.ofMillis(balancing),
        config.get(GAIN_MIN),
        Duration.ofMillis(config.get(LOOK_MILLIS)),
        config.get(EXCESS),
        Duration.ofMillis(config.get(LOAD_PAUSE_MILLIS)),
        Duration.ofMillis(config.get(LOAD_REST_MILLIS)),
        config.get(MOVES_AT_ONCE).intValue(),
        config.get(MOVES_PER_HOUR).intValue(),
        config.get(DECISIONS) ? config.get(DECISION_COUNT).intValue() : 0,
        config.get(REJECTIONS) ? config.get(REJECTION_COUNT).intValue() : 0,
        config.get(RETAIN));
  }

  /** Returns all keys. */
  public static List<ConfigKey<?>> keys() {
    List<ConfigKey<?>> keys = new ArrayList<>();
    keys.addAll(List.of(PERIOD_MILLIS, BALANCING_MAX_MILLIS, SLOP, BY_TABLE, TRANSITIONS_PART));
    keys.addAll(List.of(MOVE_PART, COST_MIN, CPU, BYTES, REGION_COUNT, MOVE, LOCALITY, TABLES));
    keys.addAll(List.of(READS, WRITES, MEMSTORES, STOREFILES, GAIN_MIN, LOOK_MILLIS, EXCESS));
    keys.addAll(List.of(LOAD_PAUSE_MILLIS, LOAD_REST_MILLIS, MOVES_AT_ONCE, MOVES_PER_HOUR));
    keys.addAll(List.of(DECISIONS, REJECTIONS, DECISION_COUNT, REJECTION_COUNT, RETAIN));
    return keys;
  }

  /** Tells whether the balancer runs by itself. */
  boolean isPeriodic() {
    return !period.isZero();
  }

  private static ConfigKey<Double> positive(String name, String defaultText, String sentence) {
    return new ConfigKey<>(
        name,
        defaultText,
        "a number, at least 0",
        sentence,
        Double::parseDouble,
        value -> value >= 0 && value < Double.POSITIVE_INFINITY);
  }
}
