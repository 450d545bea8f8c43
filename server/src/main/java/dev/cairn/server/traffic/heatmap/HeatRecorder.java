package dev.cairn.server.traffic.heatmap;

import dev.cairn.server.traffic.heatmap.HeatFile.RegionSpan;
import dev.cairn.server.traffic.heatmap.HeatFile.TableHeat;
import dev.cairn.server.traffic.heatmap.RegionEvent.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Records the heat maps of one server. Gathers the present minute; closes it as a step of the
 * present hour, which stays in memory; and saves the hour after each minute ({@link HeatFiles}). A
 * killed server loses less than two minutes.
 *
 * <p><b>Bounds.</b> A minute has at most {@value #RANGES_MAX} ranges, shared by at most {@value
 * #TABLES_MAX} tables; other tables are not recorded in that minute. A table has at most {@value
 * #TABLE_RANGES_MAX}. A range takes about 200 bytes of memory, and at most 150 on disk before
 * compression. So the hour takes at most 6 MB of memory, the present minute 10 MB; on disk a day of
 * minutes takes at most 110 MB and 14 days of hours 26 MB for each server. One busy table with keys
 * of 12 bytes takes 6 MB a day.
 *
 * <p>Thread-safe. One thread at a time calls {@link #save}.
 */
public final class HeatRecorder {
  /** The most ranges of a step, of all tables together. */
  public static final int RANGES_MAX = 512;

  /** The most tables of a step. */
  public static final int TABLES_MAX = 64;

  /** The most ranges of a table in a step. */
  public static final int TABLE_RANGES_MAX = 128;

  /** The most events of one kind that are kept for a table and an hour: the latest ones. */
  static final int EVENTS_OF_KIND_MAX = 250;

  /** A region that is open on the server. */
  public record OpenRegion(String table, String encodedName, byte[] start, byte[] end) {}

  private final String server;
  private final Optional<HeatFiles> files;
  private final Map<String, KeyHistogram> minute = new TreeMap<>();
  private final Map<String, TableHeat> hour = new TreeMap<>();
  private final RegionChanges regions = new RegionChanges();
  private long minuteMillis = -1;
  private boolean isChanged;

  /** The last hour, until it is saved. */
  private Optional<HeatFile> ended = Optional.empty();

  private long endedMillis;

  private boolean isLoaded;

  /** Tells whether an hour has ended since the files were rolled. */
  private boolean isRollDue;

  /**
   * Creates a recorder without traffic.
   *
   * @param server the server, {@code host,port}: the same after a restart
   * @param files where to save; empty to keep the present hour only, in memory
   */
  public HeatRecorder(String server, Optional<HeatFiles> files) {
    this.server = server;
    this.files = files;
  }

  /**
   * Adds to a row.
   *
   * @param row not to be changed later
   * @param values by {@link TrafficMetric#ordinal}
   */
  public synchronized void add(String table, byte[] row, double[] values, long nowMillis) {
    advance(nowMillis);
    KeyHistogram histogram = minute.get(table);
    if (histogram == null) {
      if (minute.size() >= TABLES_MAX) {
        return;
      }
      histogram = new KeyHistogram();
      minute.put(table, histogram);
    }
    for (TrafficMetric metric : TrafficMetric.values()) {
      histogram.add(row, metric, values[metric.ordinal()]);
    }
  }

  /** Takes the regions that are open now, and records the changes. */
  public synchronized void regions(Collection<OpenRegion> open, long nowMillis) {
    advance(nowMillis);
    for (RegionChanges.Change change : regions.update(open, nowMillis)) {
      change.replaced().forEach(this::forgetClosing);
      note(change.region(), change.kind(), nowMillis);
    }
  }

  /** Drops the event of a region's closing, because the region was replaced. */
  private void forgetClosing(OpenRegion region) {
    hour.computeIfPresent(
        region.table(),
        (table, known) ->
            new TableHeat(
                known.regions(),
                known.events().stream()
                    .filter(
                        event ->
                            event.kind() != Kind.CLOSED
                                || !event.region().equals(region.encodedName()))
                    .toList(),
                known.steps()));
  }

  private void note(OpenRegion region, Kind kind, long nowMillis) {
    TableHeat known = hour.getOrDefault(region.table(), TableHeat.EMPTY);
    RegionEvent event =
        new RegionEvent(
            nowMillis, kind, region.encodedName(), region.start(), region.end(), server);
    hour.put(
        region.table(),
        new TableHeat(known.regions(), latest(known.events(), List.of(event)), known.steps()));
    isChanged = true;
  }

  /** Joins events. Keeps the latest ones of each kind, so that openings displace no splits. */
  private static List<RegionEvent> latest(List<RegionEvent> earlier, List<RegionEvent> later) {
    int[] seen = new int[Kind.values().length];
    LinkedList<RegionEvent> kept = new LinkedList<>();
    for (List<RegionEvent> events : List.of(later, earlier)) {
      for (int i = events.size() - 1; i >= 0; i--) {
        if (seen[events.get(i).kind().ordinal()]++ < EVENTS_OF_KIND_MAX) {
          kept.addFirst(events.get(i));
        }
      }
    }
    return List.copyOf(kept);
  }

  /** Closes the present minute if it is over. */
  private void advance(long nowMillis) {
    long now = nowMillis - nowMillis % HeatStep.FINE_MILLIS;
    if (now == minuteMillis) {
      return;
    }
    if (!minute.isEmpty()) {
      steps().forEach(this::append);
      minute.clear();
      isChanged = true;
    }
    if (minuteMillis >= 0 && hourOf(now) != hourOf(minuteMillis)) {
      ended = isChanged ? Optional.of(recording()) : ended;
      endedMillis = hourOf(minuteMillis);
      hour.clear();
      isChanged = false;
      isRollDue = true;
    }
    minuteMillis = now;
  }

  private void append(String table, HeatStep step) {
    TableHeat known = hour.getOrDefault(table, TableHeat.EMPTY);
    List<HeatStep> steps = new ArrayList<>(known.steps());
    steps.add(step);
    hour.put(table, new TableHeat(known.regions(), known.events(), steps));
  }

  /** Returns the present minute's steps. */
  private Map<String, HeatStep> steps() {
    int max = Math.max(8, Math.min(TABLE_RANGES_MAX, RANGES_MAX / Math.max(1, minute.size())));
    Map<String, HeatStep> steps = new TreeMap<>();
    minute.forEach(
        (table, histogram) ->
            steps.put(
                table,
                new HeatStep(
                    minuteMillis,
                    HeatStep.FINE_MILLIS,
                    histogram.ranges(spans(table).stream().map(RegionSpan::start).toList(), max))));
    return steps;
  }

  private List<RegionSpan> spans(String table) {
    return regions.open().stream()
        .filter(region -> region.table().equals(table))
        .map(region -> new RegionSpan(region.start(), region.end()))
        .toList();
  }

  /** Returns the present hour, with the present minute so far. */
  public synchronized HeatFile recording() {
    Map<String, TableHeat> tables = new TreeMap<>();
    Map<String, HeatStep> latest = steps();
    Set<String> names = new HashSet<>(hour.keySet());
    names.addAll(latest.keySet());
    regions.open().forEach(region -> names.add(region.table()));
    for (String name : names) {
      TableHeat known = hour.getOrDefault(name, TableHeat.EMPTY);
      List<HeatStep> steps = new ArrayList<>(known.steps());
      Optional.ofNullable(latest.get(name)).ifPresent(steps::add);
      tables.put(name, new TableHeat(spans(name), known.events(), steps));
    }
    return new HeatFile(server, tables);
  }

  /** Tells whether {@link #save} has something to do. Does not block for long. */
  public synchronized boolean isDue(long nowMillis) {
    return !isLoaded
        || isChanged
        || isRollDue
        || !minute.isEmpty() && nowMillis - minuteMillis >= HeatStep.FINE_MILLIS;
  }

  /** Saves new steps. The first call loads the present hour's steps of an earlier process. */
  public void save(long nowMillis) throws IOException {
    if (files.isEmpty()) {
      synchronized (this) {
        advance(nowMillis);
        isLoaded = true;
        isChanged = false;
        isRollDue = false;
        ended = Optional.empty();
      }
      return;
    }
    load(files.get(), nowMillis);
    Optional<HeatFile> last;
    Optional<HeatFile> present;
    boolean rolls;
    long lastHour;
    long presentHour;
    synchronized (this) {
      advance(nowMillis);
      last = ended;
      rolls = isRollDue;
      isRollDue = false;
      lastHour = endedMillis;
      present = isChanged ? Optional.of(recording()) : Optional.empty();
      presentHour = hourOf(minuteMillis);
    }
    if (last.isPresent()) {
      files.get().saveFine(last.get(), lastHour);
    }
    if (present.isPresent()) {
      files.get().saveFine(present.get(), presentHour);
    }
    if (rolls) {
      files.get().roll(server, nowMillis, RANGES_MAX);
    }
    synchronized (this) {
      ended = last.equals(ended) ? Optional.empty() : ended;
      isChanged = isChanged && present.isEmpty();
    }
  }

  private void load(HeatFiles from, long nowMillis) throws IOException {
    synchronized (this) {
      if (isLoaded) {
        return;
      }
    }
    long present = hourOf(nowMillis);
    Map<String, TableHeat> earlier = from.fine(server, present);
    from.roll(server, nowMillis, RANGES_MAX);
    synchronized (this) {
      advance(nowMillis);
      isLoaded = true;
      if (hourOf(minuteMillis) == present) {
        earlier.forEach(this::prepend);
      }
    }
  }

  private void prepend(String table, TableHeat earlier) {
    TableHeat known = hour.getOrDefault(table, TableHeat.EMPTY);
    List<HeatStep> steps = new ArrayList<>(earlier.steps());
    steps.addAll(known.steps());
    hour.put(
        table, new TableHeat(known.regions(), latest(earlier.events(), known.events()), steps));
  }

  /** Returns the beginning of an hour. */
  static long hourOf(long millis) {
    return millis - millis % HeatStep.COARSE_MILLIS;
  }
}
