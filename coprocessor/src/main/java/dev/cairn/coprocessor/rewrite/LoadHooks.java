package dev.cairn.coprocessor.rewrite;

import dev.cairn.coprocessor.facade.RegionFacade;
import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.server.regionserver.hosted.RegionMaintenance.BulkLoads;
import dev.cairn.server.regionserver.hosted.RegionMaintenance.Load;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Calls the hooks of a region's coprocessors around bulk loads that clients ask for. Thread-safe.
 *
 * @param below loads the files
 */
public record LoadHooks(RegionCoprocessorHost host, RegionFacade region, BulkLoads below)
    implements BulkLoads {
  @Override
  public BulkLoadOutcome load(BulkLoadRequest request) throws IOException {
    return below.load(request);
  }

  /** As in HBase, the second hook is called after a failure, too, without paths. */
  @Override
  public BulkLoadOutcome run(List<BulkLoadRequest.File> files, Load load) throws IOException {
    List<Pair<byte[], String>> asked = new ArrayList<>();
    files.forEach(file -> asked.add(new Pair<>(file.family(), file.path())));
    host.preBulkLoadHFile(asked);
    Optional<BulkLoadOutcome> outcome = Optional.empty();
    try {
      outcome = Optional.of(load.run());
      return outcome.get();
    } finally {
      host.postBulkLoadHFile(asked, loaded(files, outcome));
    }
  }

  /** Returns the files in their stores by family; null if none was loaded. */
  private Map<byte[], List<Path>> loaded(
      List<BulkLoadRequest.File> files, Optional<BulkLoadOutcome> outcome) {
    if (!(outcome.orElse(null) instanceof BulkLoadOutcome.Loaded all)) {
      return null;
    }
    Map<byte[], List<Path>> paths = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < all.paths().size(); i++) {
      paths
          .computeIfAbsent(files.get(i).family(), family -> new ArrayList<>())
          .add(region.store(files.get(i).family()).path(all.paths().get(i)));
    }
    return paths;
  }

  @Override
  public void preparing(String user) throws IOException {
    host.prePrepareBulkLoad(RewriteHooks.user(named(user)));
    below.preparing(user);
  }

  @Override
  public void cleaningUp(String user) throws IOException {
    host.preCleanupBulkLoad(RewriteHooks.user(named(user)));
    below.cleaningUp(user);
  }

  private static Optional<String> named(String user) {
    return Optional.of(user).filter(name -> !name.isEmpty());
  }
}
