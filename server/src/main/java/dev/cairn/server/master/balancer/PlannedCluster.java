package dev.cairn.server.master.balancer;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.balancer.BalancePlan.Imbalance;
import dev.cairn.server.master.balancer.BalancePlan.Part;
import dev.cairn.server.master.balancer.BalancerSettings.Weights;
import dev.cairn.server.master.placement.KnownServers;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;

/**
 * The servers and regions of a snapshot as they are after planned moves, and the cost of that.
 *
 * <p>A region's <em>share</em> of a measure is its figure as a multiple of what a server has on
 * average; so a server's shares sum up to 1 on average. The cost is
 *
 * <ul>
 *   <li>for each measure, its weight times the sum over all servers of the squared distance from 1,
 *   <li>for each table, the same for its regions, in proportion to the table's part of all regions,
 *   <li>for each region, the weight of locality times its share of the store files, times the part
 *       of them that is stored elsewhere.
 * </ul>
 *
 * <p>Each part changes with the giver, the receiver and the region of a move alone, so the gain of
 * a move takes a few multiplications. A measure whose mean is below {@link Measure#meanMin} has no
 * weight. Not thread-safe.
 */
final class PlannedCluster implements KnownServers {
  private static final int MEASURES = Measure.ALL.length;
  private static final int CPU = Measure.CPU.ordinal();

  private final ClusterSnapshot snapshot;
  private final List<ServerName> servers;
  private final Map<ServerName, Integer> serverIndex = new HashMap<>();
  private final int serverCount;
  private final int regionCount;

  private final double[] weights = new double[MEASURES];

  /** By region and measure: twice the weight times the share. */
  private final double[] pull;

  /** By region: the part of its gain that depends on the region alone. */
  private final double[] self;

  /** By region: the weighted sum of its shares. */
  private final double[] weight;

  private final double[] fileShare;

  /** By region: the locality by server; null if nothing is known. */
  private final double[][] localities;

  private final double tableWeight;
  private final double localityWeight;

  /** By region. */
  private final int[] table;

  private final double[] tableMean;

  /** By region: the index of its server. */
  private final int[] at;

  private final int[] origin;

  /** By server and measure: the sum of the shares of its regions. */
  private final double[] sum;

  /** By server: how many regions it has. */
  private final int[] hosted;

  /** By table and server: how many of its regions are there. */
  private final int[] hostedOfTable;

  /** By server: its regions; the first {@link #hosted} are valid. */
  private final int[][] regionsAt;

  /** By region: where it is in {@link #regionsAt}. */
  private final int[] slot;

  /** By measure: the least sum of a server, as of {@link #findLeast}. */
  private final double[] leastSum = new double[MEASURES];

  /** By table: the least number of regions that a server has, as of {@link #findLeast}. */
  private final int[] leastOfTable;

  private final Map<RegionInfo, Integer> moved = new LinkedHashMap<>();

  PlannedCluster(ClusterSnapshot snapshot, Weights configured) {
    this.snapshot = snapshot;
    this.servers = snapshot.servers();
    this.serverCount = servers.size();
    this.regionCount = snapshot.regions().size();
    for (int s = 0; s < serverCount; s++) {
      serverIndex.put(servers.get(s), s);
    }
    this.pull = new double[regionCount * MEASURES];
    this.self = new double[regionCount];
    this.weight = new double[regionCount];
    this.fileShare = new double[regionCount];
    this.localities = new double[regionCount][];
    this.table = new int[regionCount];
    this.at = new int[regionCount];
    this.sum = new double[serverCount * MEASURES];
    this.hosted = new int[serverCount];
    this.regionsAt = new int[serverCount][8];
    this.slot = new int[regionCount];
    Map<TableName, Integer> tables = new HashMap<>();
    for (int r = 0; r < regionCount; r++) {
      table[r] =
          tables.computeIfAbsent(snapshot.regions().get(r).info().table(), name -> tables.size());
    }
    this.tableMean = new double[tables.size()];
    this.hostedOfTable = new int[tables.size() * serverCount];
    this.leastOfTable = new int[tables.size()];
    this.tableWeight = regionCount == 0 ? 0 : configured.tables() * serverCount / regionCount;
    this.localityWeight = configured.locality();
    addShares(configured);
    for (int r = 0; r < regionCount; r++) {
      at[r] = serverIndex.get(snapshot.regions().get(r).server());
      tableMean[table[r]] += 1.0 / serverCount;
      addTo(at[r], r);
    }
    this.origin = at.clone();
  }

  private void addShares(Weights configured) {
    for (Measure measure : Measure.ALL) {
      int m = measure.ordinal();
      double total = 0;
      for (ClusterSnapshot.Region region : snapshot.regions()) {
        total += region.figures().of(measure);
      }
      double mean = total / Math.max(1, serverCount);
      if (mean <= 0 || mean < measure.meanMin()) {
        continue;
      }
      weights[m] = configured.of(measure);
      for (int r = 0; r < regionCount; r++) {
        double share = snapshot.regions().get(r).figures().of(measure) / mean;
        pull[r * MEASURES + m] = 2 * weights[m] * share;
        self[r] += 2 * weights[m] * share * share;
        weight[r] += weights[m] * share;
        if (measure == Measure.STOREFILES) {
          fileShare[r] = share;
          localities[r] = locality(snapshot.regions().get(r).localities());
        }
      }
    }
  }

  private double[] locality(Map<ServerName, Double> known) {
    if (known.isEmpty() || localityWeight == 0) {
      return null;
    }
    double[] values = new double[serverCount];
    known.forEach(
        (server, value) -> {
          Integer index = serverIndex.get(server);
          if (index != null) {
            values[index] = value;
          }
        });
    return values;
  }

  private void addTo(int server, int region) {
    addSums(server, region, 1);
    if (hosted[server] == regionsAt[server].length) {
      regionsAt[server] = Arrays.copyOf(regionsAt[server], 2 * hosted[server]);
    }
    slot[region] = hosted[server];
    regionsAt[server][hosted[server]++] = region;
    hostedOfTable[table[region] * serverCount + server]++;
  }

  private void removeFrom(int server, int region) {
    addSums(server, region, -1);
    int last = regionsAt[server][--hosted[server]];
    regionsAt[server][slot[region]] = last;
    slot[last] = slot[region];
    hostedOfTable[table[region] * serverCount + server]--;
  }

  private void addSums(int server, int region, int sign) {
    for (int m = 0; m < MEASURES; m++) {
      if (weights[m] > 0) {
        sum[server * MEASURES + m] += sign * share(region, m);
      }
    }
  }

  /**
   * Computes the sums as for a new snapshot. Until then, they have the rounding errors of moves.
   */
  void sumAgain() {
    Arrays.fill(sum, 0);
    for (int r = 0; r < regionCount; r++) {
      addSums(at[r], r, 1);
    }
  }

  private double share(int region, int measure) {
    return pull[region * MEASURES + measure] / (2 * weights[measure]);
  }

  int serverCount() {
    return serverCount;
  }

  int regionTotal() {
    return regionCount;
  }

  ClusterSnapshot.Region region(int region) {
    return snapshot.regions().get(region);
  }

  ServerName server(int server) {
    return servers.get(server);
  }

  /** Returns the server of a region after the planned moves. */
  int at(int region) {
    return at[region];
  }

  /** Returns the server of a region in the snapshot. */
  int origin(int region) {
    return origin[region];
  }

  /** Returns how many regions are away from their servers in the snapshot. */
  int movedCount() {
    return moved.size();
  }

  int hosted(int server) {
    return hosted[server];
  }

  /** Returns a region of a server. */
  int regionAt(int server, int index) {
    return regionsAt[server][index];
  }

  int tableOf(int region) {
    return table[region];
  }

  int tableCount() {
    return tableMean.length;
  }

  int hostedOfTable(int server, int ofTable) {
    return hostedOfTable[ofTable * serverCount + server];
  }

  /** Returns the weighted sum of a region's shares. */
  double weight(int region) {
    return weight[region];
  }

  /** Returns the weighted sum of a server's shares. */
  double pressure(int server) {
    double pressure = 0;
    for (int m = 0; m < MEASURES; m++) {
      pressure += weights[m] * sum[server * MEASURES + m];
    }
    return pressure;
  }

  /** Returns by how much the cost falls if a region moves from its server to another. */
  double gain(int region, int to) {
    int from = at[region];
    int pulled = region * MEASURES;
    int giver = from * MEASURES;
    int receiver = to * MEASURES;
    double gain = -self[region];
    for (int m = 0; m < MEASURES; m++) {
      gain += pull[pulled + m] * (sum[giver + m] - sum[receiver + m]);
    }
    int t = table[region];
    int row = t * serverCount;
    gain +=
        2
            * tableWeight
            * (hostedOfTable[row + from] - hostedOfTable[row + to] - 1)
            / Math.max(1, tableMean[t]);
    double[] local = localities[region];
    if (local != null) {
      gain += localityWeight * fileShare[region] * (local[to] - local[from]);
    }
    return gain;
  }

  /** Remembers what the least loaded servers have, for {@link #gainMost}. */
  void findLeast() {
    for (int m = 0; m < MEASURES; m++) {
      double least = Double.POSITIVE_INFINITY;
      for (int s = 0; s < serverCount; s++) {
        least = Math.min(least, sum[s * MEASURES + m]);
      }
      leastSum[m] = least;
    }
    for (int t = 0; t < leastOfTable.length; t++) {
      int least = Integer.MAX_VALUE;
      for (int s = 0; s < serverCount; s++) {
        least = Math.min(least, hostedOfTable[t * serverCount + s]);
      }
      leastOfTable[t] = least;
    }
  }

  /** Returns more than any move of the region gains, if no server has less than then. */
  double gainMost(int region) {
    int giver = at[region] * MEASURES;
    double gain = -self[region];
    for (int m = 0; m < MEASURES; m++) {
      gain += pull[region * MEASURES + m] * (sum[giver + m] - leastSum[m]);
    }
    int t = table[region];
    int more = hostedOfTable[t * serverCount + at[region]] - leastOfTable[t] - 1;
    gain += 2 * tableWeight * more / Math.max(1, tableMean[t]);
    double[] local = localities[region];
    return local == null
        ? gain
        : gain + localityWeight * fileShare[region] * (1 - local[at[region]]);
  }

  /** Returns the part of {@link #gain} that is processor time. */
  double loadGain(int region, int to) {
    return weights[CPU] == 0 ? 0 : gain(region, to, CPU);
  }

  private double gain(int region, int to, int m) {
    double difference = sum[at[region] * MEASURES + m] - sum[to * MEASURES + m];
    return pull[region * MEASURES + m] * (difference - share(region, m));
  }

  /** Returns the processor time of a region, as a part of the mean of all servers. */
  double loadShare(int region) {
    return weights[CPU] == 0 ? 0 : share(region, CPU);
  }

  /** Returns the weighted processor time of a region. */
  double loadWeight(int region) {
    return pull[region * MEASURES + CPU] / 2;
  }

  /** Returns the weight of processor time; 0 if there is little. */
  double loadWeight() {
    return weights[CPU];
  }

  /** Returns what two regions that change places gain beyond the gains of the two moves. */
  double gainTogether(int one, int two) {
    double gain = 0;
    for (int m = 0; m < MEASURES; m++) {
      if (weights[m] > 0) {
        gain += 2 * pull[one * MEASURES + m] * share(two, m);
      }
    }
    if (table[one] == table[two]) {
      gain += 4 * tableWeight / Math.max(1, tableMean[table[one]]);
    }
    return gain;
  }

  /** Returns the part of {@link #gainTogether} that is processor time. */
  double loadGainTogether(int one, int two) {
    return weights[CPU] == 0 ? 0 : 2 * pull[one * MEASURES + CPU] * share(two, CPU);
  }

  /** Returns the mean number of regions of a server. */
  double meanRegions() {
    return (double) regionCount / serverCount;
  }

  void move(int region, int to) {
    removeFrom(at[region], region);
    at[region] = to;
    addTo(to, region);
    if (to == origin[region]) {
      moved.remove(region(region).info());
    } else {
      moved.put(region(region).info(), to);
    }
  }

  /** Returns what a move gains most by, in words. */
  String reason(int region, int to) {
    int best = Measure.REGIONS.ordinal();
    double most = 0;
    for (int m = 0; m < MEASURES; m++) {
      double gain = weights[m] == 0 ? 0 : gain(region, to, m);
      if (gain > most) {
        most = gain;
        best = m;
      }
    }
    if (most == 0) {
      return "the balancer spreads its table, or moves it to its files";
    }
    Measure measure = Measure.ALL[best];
    if (measure == Measure.REGIONS) {
      return "the balancer moved it: %s had %d regions, %s had %d"
          .formatted(
              servers.get(at[region]).hostAndPort(),
              hosted[at[region]],
              servers.get(to).hostAndPort(),
              hosted[to]);
    }
    return "the balancer moved it for its %s, %.1f %% of the mean: %s had %.0f %%, %s %.0f %%"
        .formatted(
            measure.label(),
            100 * share(region, best),
            servers.get(at[region]).hostAndPort(),
            100 * sum[at[region] * MEASURES + best],
            servers.get(to).hostAndPort(),
            100 * sum[to * MEASURES + best]);
  }

  /** Tells whether servers have numbers of regions outside the slop, or none at all. */
  boolean isSloppy(double slop) {
    double mean = meanRegions();
    int most = Arrays.stream(hosted).max().orElse(0);
    int least = Arrays.stream(hosted).min().orElse(0);
    return most > Math.ceil(mean * (1 + slop))
        || least < Math.floor(mean * (1 - slop))
        || least == 0 && most > 1;
  }

  /** Tells whether servers have numbers of regions of a table outside the slop. */
  boolean isSloppy(double slop, int ofTable, int most, int least) {
    double mean = tableMean[ofTable];
    return hostedOfTable(most, ofTable) > Math.ceil(mean * (1 + slop))
        || hostedOfTable(least, ofTable) < Math.floor(mean * (1 - slop));
  }

  /** Returns how unequal the servers are now. */
  Imbalance imbalance() {
    Map<String, Part> parts = new HashMap<>();
    double cost = 0;
    for (Measure measure : Measure.ALL) {
      int m = measure.ordinal();
      if (weights[m] > 0) {
        double squares = 0;
        for (int s = 0; s < serverCount; s++) {
          double distance = sum[s * MEASURES + m] - 1;
          squares += distance * distance;
        }
        cost += weights[m] * squares;
        double worst = (double) serverCount * (serverCount - 1);
        parts.put(measure.label(), new Part(weights[m], root(squares, worst)));
      }
    }
    cost += addTables(parts) + addLocality(parts);
    double squares = 0;
    double weightSum = 0;
    for (Part part : parts.values()) {
      squares += part.weight() * part.value() * part.value();
      weightSum += part.weight();
    }
    return new Imbalance(root(squares, weightSum), parts, cost);
  }

  private double addTables(Map<String, Part> parts) {
    double squares = 0;
    double worst = 0;
    for (int t = 0; t < tableMean.length; t++) {
      double mean = tableMean[t];
      double scale = 1 / Math.max(1, mean);
      for (int s = 0; s < serverCount; s++) {
        double distance = hostedOfTable(s, t) - mean;
        squares += distance * distance * scale;
      }
      worst += mean * mean * serverCount * (serverCount - 1) * scale;
    }
    if (tableWeight > 0) {
      double configured = tableWeight * regionCount / serverCount;
      parts.put("regions of each table", new Part(configured, root(squares, worst)));
    }
    return tableWeight * squares;
  }

  private double addLocality(Map<String, Part> parts) {
    double elsewhere = 0;
    double known = 0;
    for (int r = 0; r < regionCount; r++) {
      if (localities[r] != null) {
        elsewhere += fileShare[r] * (1 - localities[r][at[r]]);
        known += fileShare[r];
      }
    }
    if (known > 0) {
      parts.put("locality", new Part(localityWeight, root(elsewhere, known)));
    }
    return localityWeight * elsewhere;
  }

  private static double root(double part, double whole) {
    return whole <= 0 ? 0 : Math.sqrt(Math.max(0, part) / whole);
  }

  @Override
  public List<ServerName> ready() {
    return servers;
  }

  @Override
  public boolean isReady(ServerName server) {
    return serverIndex.containsKey(server);
  }

  @Override
  public int regionCount(ServerName server) {
    Integer index = serverIndex.get(server);
    return index == null ? 0 : hosted[index];
  }

  @Override
  public Stream<RegionInfo> regions(ServerName server, TableName ofTable) {
    Integer index = serverIndex.get(server);
    if (index == null || moved.isEmpty()) {
      return snapshot.known().regions(server, ofTable);
    }
    return Stream.concat(
        snapshot.known().regions(server, ofTable).filter(region -> !moved.containsKey(region)),
        moved.entrySet().stream()
            .filter(entry -> entry.getValue().equals(index))
            .map(Map.Entry::getKey)
            .filter(region -> region.table().equals(ofTable)));
  }

  @Override
  public Stream<ServerName> othersOf(RegionInfo region) {
    return snapshot.known().othersOf(region); // replicas are not moved by the balancer
  }

  @Override
  public long replayedSequence(ServerName server, RegionInfo replica) {
    return snapshot.known().replayedSequence(server, replica);
  }

  @Override
  public Optional<ServerLoad> load(ServerName server) {
    return snapshot.known().load(server);
  }

  @Override
  public OptionalDouble locality(ServerName server, RegionInfo region) {
    return snapshot.known().locality(server, region);
  }

  /** Returns the servers, most pressure first; among equals, in the order of their names. */
  int[] byPressure() {
    double[] pressures = new double[serverCount];
    for (int s = 0; s < serverCount; s++) {
      pressures[s] = pressure(s);
    }
    return IntStream.range(0, serverCount)
        .boxed()
        .sorted((one, two) -> Double.compare(pressures[two], pressures[one]))
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
