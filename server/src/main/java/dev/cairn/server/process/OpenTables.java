package dev.cairn.server.process;

import dev.cairn.engine.region.IndexBuild;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.server.advise.IndexFigures;
import dev.cairn.server.advise.RegionRange;
import dev.cairn.server.advise.TableReport;
import dev.cairn.server.advise.page.KnownTables;
import dev.cairn.server.process.keys.ProcessKeys;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.traffic.Traffic;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tables with open regions in the process, for the adviser. Thread-safe.
 *
 * @param regions returns the open regions
 * @param traffic returns the traffic of the region server; empty if there is none
 */
record OpenTables(
    Host host, Supplier<Collection<HostedRegion>> regions, Supplier<Optional<Traffic>> traffic)
    implements KnownTables {
  @Override
  public List<String> names() {
    return open()
        .filter(region -> !isReplica(region))
        .map(region -> region.info().table().toString())
        .sorted()
        .distinct()
        .toList();
  }

  /** Empty in a cluster: this process does not know how many servers the cluster has. */
  @Override
  public OptionalInt servers() {
    return host.config().get(ProcessKeys.DISTRIBUTED) ? OptionalInt.empty() : OptionalInt.of(1);
  }

  private Stream<HostedRegion> open() {
    return regions.get().stream()
        .filter(region -> !region.info().table().namespace().equals(TableName.SYSTEM_NAMESPACE));
  }

  private static boolean isReplica(HostedRegion region) {
    return region.info().replicaId() > 0;
  }

  /** Scans may use the indexes of replicas, too. Their files are those of the region. */
  private static List<IndexFigures> indexes(List<HostedRegion> regions) {
    Map<String, IndexFigures> indexes = new TreeMap<>();
    regions.stream()
        .flatMap(region -> indexes(region).stream())
        .forEach(one -> indexes.merge(one.name(), one, IndexFigures::and));
    return List.copyOf(indexes.values());
  }

  private static List<IndexFigures> indexes(HostedRegion region) {
    Map<String, Boolean> complete =
        region.figures().indexBuilds().stream()
            .collect(Collectors.toMap(one -> one.index().name(), IndexBuild::isComplete));
    return region.figures().indexUsage().stream()
        .map(
            usage ->
                new IndexFigures(
                    usage.index().name(),
                    complete.getOrDefault(usage.index().name(), false),
                    usage.uses(),
                    usage.openedMillis(),
                    isReplica(region) ? 0 : usage.bytes()))
        .toList();
  }

  private static RegionRange range(RegionInfo region) {
    return new RegionRange(region.startKey(), region.endKey());
  }

  @Override
  public Optional<TableReport> report(String table) {
    List<HostedRegion> all =
        open().filter(region -> region.info().table().toString().equals(table)).toList();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    List<HostedRegion> own = all.stream().filter(region -> !isReplica(region)).toList();
    long now = host.clock().currentTimeMillis();
    Map<String, StoreFigures> families = new TreeMap<>();
    for (HostedRegion region : own) {
      for (StoreFigures figures : region.figures().storeFigures(now)) {
        families.merge(figures.family(), figures, StoreFigures::and);
      }
    }
    return Optional.of(
        new TableReport(
            all.get(0).schema(),
            own.stream().map(HostedRegion::info).map(OpenTables::range).toList(),
            host.engine().memoryUsage().cache().capacityBytes(),
            List.copyOf(families.values()),
            indexes(all),
            traffic.get().map(one -> one.calls().steps(table)).orElse(List.of()),
            now));
  }
}
