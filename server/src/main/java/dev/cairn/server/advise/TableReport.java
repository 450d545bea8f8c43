package dev.cairn.server.advise;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.server.traffic.sample.CallStep;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The facts that one region server has about a table.
 *
 * @param schema the descriptor
 * @param regions the row ranges of the server's regions
 * @param cacheBytes the size of its block cache
 * @param families the facts from the files of its regions
 * @param indexes the figures of the table's indexes in its regions
 * @param steps the sampled calls, oldest first
 * @param nowMillis its time
 */
public record TableReport(
    TableSchema schema,
    List<RegionRange> regions,
    long cacheBytes,
    List<StoreFigures> families,
    List<IndexFigures> indexes,
    List<CallStep> steps,
    long nowMillis) {
  /** Steps of several servers are put together into about this many. */
  private static final int STEPS = 32;

  /** Copies the lists. */
  public TableReport {
    regions = List.copyOf(regions);
    families = List.copyOf(families);
    indexes = List.copyOf(indexes);
    steps = List.copyOf(steps);
  }

  /**
   * Combines the reports of several servers.
   *
   * @param reports at least one
   * @param servers the number of all servers, including those without regions of the table; empty
   *     if unknown
   */
  public static Observation together(Collection<TableReport> reports, OptionalInt servers) {
    List<RegionRange> regions = new ArrayList<>();
    Map<String, StoreFigures> families = new TreeMap<>();
    Map<String, IndexFigures> indexes = new TreeMap<>();
    List<CallStep> steps = new ArrayList<>();
    long cacheBytes = 0;
    long nowMillis = 0;
    for (TableReport report : reports) {
      regions.addAll(report.regions);
      report.families.forEach(one -> families.merge(one.family(), one, StoreFigures::and));
      report.indexes.forEach(one -> indexes.merge(one.name(), one, IndexFigures::and));
      steps.addAll(report.steps);
      cacheBytes += report.cacheBytes;
      nowMillis = Math.max(nowMillis, report.nowMillis);
    }
    List<byte[]> starts = RegionRange.starts(regions);
    TableFacts facts =
        new TableFacts(
            reports.iterator().next().schema,
            starts.subList(Math.min(1, starts.size()), starts.size()),
            RegionRange.cover(regions),
            servers,
            cacheBytes,
            List.copyOf(families.values()),
            List.copyOf(indexes.values()),
            nowMillis);
    return new Observation(facts, reports.size() == 1 ? steps : joined(steps));
  }

  /** Joins the steps of several servers that began at about the same time. */
  private static List<CallStep> joined(List<CallStep> steps) {
    List<CallStep> ordered =
        steps.stream().sorted(Comparator.comparingLong(CallStep::startMillis)).toList();
    if (ordered.isEmpty()) {
      return List.of();
    }
    long first = ordered.get(0).startMillis();
    long last = ordered.get(ordered.size() - 1).startMillis();
    long width = Math.max(1, (last - first) / STEPS + 1);
    Map<Long, CallStep> joined = new LinkedHashMap<>();
    for (CallStep step : ordered) {
      joined.merge((step.startMillis() - first) / width, step, CallStep::and);
    }
    return List.copyOf(joined.values());
  }
}
