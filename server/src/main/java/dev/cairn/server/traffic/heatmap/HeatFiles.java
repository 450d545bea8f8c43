package dev.cairn.server.traffic.heatmap;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.server.traffic.heatmap.HeatFile.TableHeat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the heat maps of all servers, below {@value #DIRECTORY} in the root directory:
 *
 * <ul>
 *   <li>{@code host,port/fine-MILLIS}: one server's steps of a minute, of the hour that begins at
 *       {@code MILLIS}. Kept for 24 hours.
 *   <li>{@code host,port/coarse-MILLIS}: one server's steps of an hour, of the day that begins at
 *       {@code MILLIS}. Kept for 14 days.
 * </ul>
 *
 * <p>Each server writes its own directory and reads the directories of all servers. So every server
 * returns complete heat maps, also with the traffic of servers that are gone. A file is replaced as
 * a whole; a damaged one is skipped with a warning. Each server also makes the steps of an hour
 * that a dead server did not make, and then deletes the old files of all servers.
 *
 * <p>Thread-safe; one thread at a time writes for a server.
 */
public final class HeatFiles {
  /** The directory of the files. */
  public static final String DIRECTORY = ".cairn/traffic";

  /** The time for which steps of a minute are kept. */
  public static final long FINE_KEPT_MILLIS = 24 * HeatStep.COARSE_MILLIS;

  /** The time for which steps of an hour are kept. */
  public static final long COARSE_KEPT_MILLIS = 14 * FINE_KEPT_MILLIS;

  /**
   * The age at which a file of another server is checked for a missing step of an hour. Some hours
   * remain before the file is deleted: if two servers write at the same time and a step is lost, a
   * later check makes it again.
   */
  private static final long FOREIGN_ROLLED_MILLIS = FINE_KEPT_MILLIS - 2 * HeatStep.COARSE_MILLIS;

  private static final Logger LOG = LoggerFactory.getLogger(HeatFiles.class);
  private static final long DAY_MILLIS = 24 * HeatStep.COARSE_MILLIS;
  private static final String FINE = "fine-";
  private static final String COARSE = "coarse-";

  private final Storage storage;

  /** Creates it for a root directory. */
  public HeatFiles(Storage storage) {
    this.storage = storage;
  }

  /** Replaces a server's steps of a minute, of the hour that begins at {@code hourMillis}. */
  public void saveFine(HeatFile heat, long hourMillis) throws IOException {
    storage.writeAll(directory(heat.server()) + "/" + FINE + hourMillis, heat.encode());
  }

  /** Returns a server's steps of a minute, of the hour that begins at {@code hourMillis}. */
  public Map<String, TableHeat> fine(String server, long hourMillis) throws IOException {
    String path = directory(server) + "/" + FINE + hourMillis;
    return storage.exists(path) ? read(path).map(HeatFile::tables).orElse(Map.of()) : Map.of();
  }

  /**
   * Makes a step of an hour for each full hour of a server that has none yet. Then makes missing
   * steps of an hour from old files of other servers, which may be dead, and deletes the files of
   * all servers that are too old.
   *
   * @param rangesMax the ranges of a step, of all tables together
   */
  public void roll(String server, long nowMillis, int rangesMax) throws IOException {
    rollHours(server, hourOf(nowMillis), rangesMax);
    for (FileInfo directory : storage.list(DIRECTORY)) {
      if (!directory.name().equals(server)) {
        rollHours(directory.name(), nowMillis - FOREIGN_ROLLED_MILLIS, rangesMax);
      }
      for (FileInfo file : storage.list(directory.path())) {
        deleteIfOld(file, nowMillis);
      }
    }
  }

  /** Makes the missing steps of an hour that began before a time. */
  private void rollHours(String server, long beforeMillis, int rangesMax) throws IOException {
    for (FileInfo file : storage.list(directory(server))) {
      Optional<Long> start = start(file, FINE);
      if (start.isPresent() && start.get() < beforeMillis) {
        addCoarse(server, file.path(), start.get(), rangesMax);
      }
    }
  }

  private void addCoarse(String server, String fine, long hour, int rangesMax) throws IOException {
    String path = directory(server) + "/" + COARSE + (hour - hour % DAY_MILLIS);
    Map<String, TableHeat> day = new TreeMap<>();
    if (storage.exists(path)) {
      read(path).ifPresent(known -> day.putAll(known.tables()));
    }
    if (hasHour(day, hour)) {
      return;
    }
    Map<String, TableHeat> minutes = read(fine).map(HeatFile::tables).orElse(Map.of());
    int max = Math.max(4, rangesMax / Math.max(4, minutes.size()));
    minutes.forEach(
        (table, heat) -> {
          TableHeat known = day.getOrDefault(table, TableHeat.EMPTY);
          List<RegionEvent> events = new ArrayList<>(known.events());
          events.addAll(heat.events());
          List<HeatStep> steps = new ArrayList<>(known.steps());
          steps.add(hour(heat, hour, max));
          day.put(table, new TableHeat(heat.regions(), events, steps));
        });
    if (!minutes.isEmpty()) {
      storage.writeAll(path, new HeatFile(server, day).encode());
    }
  }

  private static HeatStep hour(TableHeat heat, long hour, int max) {
    List<KeyRange> ranges = new ArrayList<>();
    heat.steps().forEach(step -> ranges.addAll(step.ranges()));
    List<byte[]> borders = heat.regions().stream().map(HeatFile.RegionSpan::start).toList();
    return new HeatStep(hour, HeatStep.COARSE_MILLIS, KeyHistogram.join(ranges, borders, max));
  }

  private static boolean hasHour(Map<String, TableHeat> day, long hour) {
    return day.values().stream()
        .flatMap(table -> table.steps().stream())
        .anyMatch(step -> step.startMillis() == hour);
  }

  private void deleteIfOld(FileInfo file, long nowMillis) throws IOException {
    Optional<Long> fine = start(file, FINE);
    Optional<Long> coarse = start(file, COARSE);
    boolean old =
        fine.isPresent() && fine.get() + HeatStep.COARSE_MILLIS < nowMillis - FINE_KEPT_MILLIS
            || coarse.isPresent() && coarse.get() + DAY_MILLIS < nowMillis - COARSE_KEPT_MILLIS;
    if (old) {
      storage.discard(file.path());
    }
  }

  /**
   * Reads the files of all servers that overlap a time. For an hour with steps of both lengths,
   * returns the steps of a minute only.
   *
   * @param without a server whose files are not read, because its traffic of the present hour is in
   *     memory; see {@code withoutSince}
   * @param withoutSince the hour from which that server's files are not read
   */
  public Collection<HeatFile> read(
      long fromMillis, long toMillis, String without, long withoutSince) throws IOException {
    List<HeatFile> found = new ArrayList<>();
    for (FileInfo directory : storage.list(DIRECTORY)) {
      List<Long> fineHours = new ArrayList<>();
      List<FileInfo> files = storage.list(directory.path());
      for (FileInfo file : files) {
        Optional<Long> hour = start(file, FINE);
        hour.ifPresent(fineHours::add);
        if (hour.isPresent()
            && hour.get() < toMillis
            && hour.get() + HeatStep.COARSE_MILLIS > fromMillis
            && !(directory.name().equals(without) && hour.get() >= withoutSince)) {
          read(file.path()).ifPresent(found::add);
        }
      }
      for (FileInfo file : files) {
        Optional<Long> day = start(file, COARSE);
        if (day.isPresent() && day.get() < toMillis && day.get() + DAY_MILLIS > fromMillis) {
          read(file.path()).map(heat -> withoutHours(heat, fineHours)).ifPresent(found::add);
        }
      }
    }
    return found;
  }

  private static HeatFile withoutHours(HeatFile coarse, List<Long> hours) {
    Map<String, TableHeat> tables = new TreeMap<>();
    coarse
        .tables()
        .forEach(
            (name, table) ->
                tables.put(
                    name,
                    new TableHeat(
                        List.of(),
                        table.events().stream()
                            .filter(event -> !hours.contains(hourOf(event.atMillis())))
                            .toList(),
                        table.steps().stream()
                            .filter(step -> !hours.contains(step.startMillis()))
                            .toList())));
    return new HeatFile(coarse.server(), tables);
  }

  private static long hourOf(long millis) {
    return millis - millis % HeatStep.COARSE_MILLIS;
  }

  private Optional<HeatFile> read(String path) throws IOException {
    try {
      return Optional.of(HeatFile.decode(path, storage.readAll(path)));
    } catch (java.io.FileNotFoundException | java.nio.file.NoSuchFileException e) {
      return Optional.empty(); // deleted meanwhile
    } catch (IOException e) {
      LOG.warn("{}", e.getMessage());
      return Optional.empty();
    }
  }

  private static Optional<Long> start(FileInfo file, String prefix) {
    String name = file.name();
    try {
      return name.startsWith(prefix)
          ? Optional.of(Long.parseLong(name.substring(prefix.length())))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static String directory(String server) {
    return DIRECTORY + "/" + server;
  }
}
