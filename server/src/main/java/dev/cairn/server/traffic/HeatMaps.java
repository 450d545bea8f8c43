package dev.cairn.server.traffic;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.traffic.heatmap.HeatFile;
import dev.cairn.server.traffic.heatmap.HeatFiles;
import dev.cairn.server.traffic.heatmap.HeatMap;
import dev.cairn.server.traffic.heatmap.HeatStep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Answers queries for heat maps: from the files of all servers, and from the memory of the region
 * server in the same process. The traffic of other servers comes at most two minutes late.
 * Thread-safe.
 */
public final class HeatMaps {
  private final Storage storage;
  private final HeatFiles files;
  private final Clock clock;
  private final Supplier<Optional<Traffic>> own;

  /**
   * Creates it.
   *
   * @param storage the root directory
   * @param own returns the traffic of the region server in this process; empty if there is none
   */
  public HeatMaps(Storage storage, Clock clock, Supplier<Optional<Traffic>> own) {
    this.storage = storage;
    this.files = new HeatFiles(storage);
    this.clock = clock;
    this.own = own;
  }

  /** Returns the time of the clock, milliseconds since 1970. */
  public long nowMillis() {
    return clock.currentTimeMillis();
  }

  /** Returns the heat map of a query. Reads up to some hundred small files. */
  public HeatMap map(HeatMap.Query query) throws IOException {
    return HeatMap.of(query, recordings(query.fromMillis(), query.toMillis()));
  }

  /**
   * Tells whether a table exists.
   *
   * @throws IllegalArgumentException if it cannot be the name of a table
   */
  public boolean exists(String table) throws IOException {
    TableName name = TableName.parse(table);
    return storage.exists(Storage.join("data/" + name.namespace(), name.qualifier()));
  }

  /** Returns the names of the tables with traffic in the last two hours. */
  public SortedSet<String> tables() throws IOException {
    long now = nowMillis();
    SortedSet<String> tables = new TreeSet<>();
    for (HeatFile file : recordings(now - 2 * HeatStep.COARSE_MILLIS, now)) {
      tables.addAll(file.tables().keySet());
    }
    return tables;
  }

  private Collection<HeatFile> recordings(long fromMillis, long toMillis) throws IOException {
    Optional<Traffic> traffic = own.get().filter(Traffic::isOn);
    long now = nowMillis();
    long hour = now - now % HeatStep.COARSE_MILLIS;
    Collection<HeatFile> found =
        new ArrayList<>(
            files.read(fromMillis, toMillis, traffic.map(Traffic::server).orElse(""), hour));
    traffic.ifPresent(one -> found.add(one.recording()));
    return found;
  }
}
