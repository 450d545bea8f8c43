package dev.cairn.torture.cluster;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.index.IndexCollector;
import dev.cairn.engine.store.index.IndexPace;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.RegionRow;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Loads files in bulk while regions split, move and fail: prepares a load, loads the files of two
 * families region by region, divides those that meet other regions, and cleans up. Another thread
 * reads the loaded rows. Each must have the same number in both families at any time, because a
 * region shows all of a load or nothing; and the table must have what was loaded.
 */
final class BulkLoads {
  /** Holds the clients' files; clients delete theirs when they are loaded. */
  static final String FILES = "incoming";

  /** The directory of the servers with the files that are being loaded. */
  static final String STAGING = "staging";

  private static final List<String> FAMILIES =
      List.of(Bytes.utf8(RowCalls.FAMILY), Bytes.utf8(RowCalls.SECOND_FAMILY));
  private static final String NAME = "-loaded";
  private static final int PLACES = 100;
  private static final int PLACES_PER_ROW = 6;
  private static final int ROWS_MAX = 8;
  private static final long READ_PAUSE_MAX_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ClusterClient client;
  private final LoadCalls loads;
  private final TableCalls calls;
  private final RowCalls readerRows;
  private final ScanCalls readerScans;
  private final History history;
  private final ClusterParts parts;
  private final RandomGenerator random;
  private boolean resting;
  private boolean working;
  private boolean reading;
  private long number;
  private final Set<String> refused = new HashSet<>();
  private long files;
  private long loaded;
  private Piece current = new Piece(new TreeSet<>(), FILES);

  /**
   * Some rows of a load.
   *
   * @param directory has a directory per family, with one file
   */
  private record Piece(NavigableSet<String> rows, String directory) {
    /** Returns the path of each family's file. */
    Map<String, String> files() {
      Map<String, String> files = new TreeMap<>();
      for (String family : FAMILIES) {
        files.put(family, Storage.join(directory, family + "/file"));
      }
      return files;
    }
  }

  /**
   * Creates a loader.
   *
   * @param reader reads the rows meanwhile, on the machine of {@code client}
   */
  BulkLoads(
      ClusterClient client,
      ClusterClient reader,
      TableName table,
      History history,
      ClusterParts parts,
      RandomGenerator random) {
    this.client = client;
    this.loads = new LoadCalls(client, table);
    this.calls = new TableCalls(client, 0);
    this.readerRows = new RowCalls(reader, table);
    this.readerScans = new ScanCalls(reader, table);
    this.history = history;
    this.parts = parts;
    this.random = random;
  }

  /** Begins to load, once per {@code pause} on average. */
  void start(Duration pause) {
    client
        .machine()
        .spawn(
            "bulk loads",
            () -> {
              while (true) {
                client.machine().clock().park(random.nextLong(2 * pause.toNanos()));
                if (!resting) {
                  working = true;
                  load();
                  working = false;
                }
              }
            });
    client
        .machine()
        .spawn(
            "reader of bulk loads",
            () -> {
              while (true) {
                client.machine().clock().park(random.nextLong(READ_PAUSE_MAX_NANOS));
                if (!resting) {
                  reading = true;
                  if (random.nextBoolean()) {
                    readOne();
                  } else {
                    scanSome();
                  }
                  reading = false;
                }
              }
            });
  }

  /** Pauses after the present load, until {@link #resume}. */
  void rest() {
    resting = true;
  }

  /** Ends {@link #rest}. */
  void resume() {
    resting = false;
  }

  /** Tells whether it is paused and the last load is cleaned up. */
  boolean isAtRest() {
    return resting && !working && !reading;
  }

  /**
   * Tells whether the servers refused a directory of {@link #FILES}. They move its files back; if
   * the network delivers the request twice, they may do so after the client has deleted it.
   */
  boolean isRefused(String directory) {
    return refused.contains(directory);
  }

  /** Returns the number of loads that have ended. */
  long loaded() {
    return loaded;
  }

  @Override
  public String toString() {
    return "the client that loads files, with load %d of %s in %s: %s"
        .formatted(number, current.rows(), current.directory(), client.lastCall());
  }

  private String randomRow() {
    int place = random.nextInt(PLACES / PLACES_PER_ROW) * PLACES_PER_ROW + 1;
    return (place < 10 ? "0" : "") + place + NAME;
  }

  private void load() {
    number++;
    NavigableSet<String> all = new TreeSet<>();
    for (int i = 1 + random.nextInt(ROWS_MAX); i > 0; i--) {
      all.add(randomRow());
    }
    all.forEach(row -> history.beginPut(row, number));
    String[] token = new String[1];
    calls.until(() -> token[0] = loads.prepare(all.first(), PATIENCE));
    Deque<Piece> left = new ArrayDeque<>();
    boolean whole = true;
    boolean divided = random.nextInt(4) > 0;
    calls.until(() -> left.addAll(divided ? divide(all) : List.of(write(all))));
    while (!left.isEmpty()) {
      Piece piece = left.remove();
      if (isLoaded(piece, token[0])) {
        piece.rows().forEach(row -> history.put(row, number));
        calls.until(() -> forget(piece));
      } else {
        whole = false;
        refused.add(Storage.name(piece.directory()));
        calls.until(() -> left.addAll(divide(piece.rows())));
        calls.until(() -> delete(piece));
      }
    }
    calls.until(() -> loads.cleanUp(all.first(), token[0], PATIENCE));
    if (!whole) {
      // A failing disk may keep the server from moving a refused file back. It says where it is.
      calls.until(() -> parts.files().delete(Storage.join(STAGING, Storage.name(token[0]))));
    }
    loaded++;
  }

  /** Loads a piece, however long faults take; returns false if its rows are of several regions. */
  private boolean isLoaded(Piece piece, String token) {
    current = piece;
    boolean[] done = new boolean[1];
    calls.until(() -> done[0] = loads.load(piece.rows().first(), piece.files(), token, PATIENCE));
    return done[0];
  }

  /** Writes files for rows, so that each has rows of one region, as far as the client knows. */
  private List<Piece> divide(NavigableSet<String> all) throws IOException {
    Map<RegionInfo, NavigableSet<String>> places = new LinkedHashMap<>();
    List<RegionRow> meta = client.readMeta(PATIENCE);
    for (String row : all) {
      RegionInfo region =
          meta.stream()
              .map(RegionRow::region)
              .filter(one -> one.table().equals(NumbersTable.NAME))
              .filter(one -> !one.split() && one.contains(Bytes.utf8(row)))
              .findFirst()
              .orElseThrow(() -> new IOException("hbase:meta has no region of " + row));
      places.computeIfAbsent(region, none -> new TreeSet<>()).add(row);
    }
    List<Piece> pieces = new ArrayList<>();
    for (NavigableSet<String> rows : places.values()) {
      pieces.add(write(rows));
    }
    return pieces;
  }

  private Piece write(NavigableSet<String> rows) throws IOException {
    Piece piece = new Piece(rows, Storage.join(FILES, number + "-" + ++files));
    for (Map.Entry<String, String> path : piece.files().entrySet()) {
      FamilySchema family = FamilySchema.of(path.getKey());
      HFileOptions options = HFileOptions.of(family, CellComparator.USER);
      Clock clock = client.machine().clock();
      IndexedColumns indexed = // as in a file of another table with an index
          random.nextBoolean()
              ? IndexedColumns.NONE
              : IndexedColumns.of(List.of(RowCalls.QUALIFIER));
      try (HFileWriter file = new HFileWriter(parts.files(), path.getValue(), options, clock);
          IndexCollector index = collector(indexed, path.getValue())) {
        file.addMetaBlocks(index);
        for (String row : rows) {
          Cell cell =
              Cell.put(
                  Bytes.utf8(row), family.name(), RowCalls.QUALIFIER, number, Bytes.ofLong(number));
          index.add(cell);
          file.append(cell);
        }
        file.finish();
      }
    }
    return piece;
  }

  private IndexCollector collector(IndexedColumns indexed, String path) {
    return new IndexCollector(
        indexed,
        parts.files(),
        new BlockCache(0, Runnable::run),
        client.machine().clock(),
        () -> parts.files().create(path + ".index"),
        IndexPace.NONE);
  }

  /** Deletes a piece that was divided. */
  private void delete(Piece piece) throws IOException {
    parts.files().delete(piece.directory());
  }

  /** Deletes the directories of a piece; files in them would be left of a load. */
  private void forget(Piece piece) throws IOException {
    for (String path : piece.files().values()) {
      if (parts.files().exists(path)) {
        return;
      }
    }
    delete(piece);
  }

  /**
   * Scans the table for the numbers of a few loads, with some hint on the use of the second
   * family's index: only loaded rows have such.
   */
  private void scanSome() {
    NavigableMap<String, Long> left = history.leasts("", "");
    left.keySet().removeIf(row -> !row.endsWith(NAME));
    long from = Math.max(1, number - random.nextInt(20));
    ScanCalls.Numbers wanted =
        new ScanCalls.Numbers(
            from,
            from + random.nextInt(4),
            true,
            IndexHint.values()[random.nextInt(IndexHint.values().length)]);
    ScanCalls.Paging paging = new ScanCalls.Paging(1 + random.nextInt(5), 0, false, 1_000, 0);
    try {
      readerScans.scan(
          "",
          "",
          paging,
          wanted,
          PATIENCE,
          (row, found) -> {
            Long least = left.remove(row);
            history.read(row, OptionalLong.of(found), least == null ? 0 : least);
            if (!wanted.contains(found)) {
              history.unwanted(row, found, wanted.toString());
            }
          });
    } catch (IOException e) {
      return; // Only the rows that came were read.
    }
    left.forEach((row, least) -> history.leftOut(row, wanted.from(), wanted.to(), least));
  }

  private void readOne() {
    String row = randomRow();
    long least = history.least(row);
    try {
      history.read(row, read(readerRows, row), least);
    } catch (IOException e) {
      // Nothing was read.
    }
  }

  /** Reads a row, and checks that both families have the same number. */
  private OptionalLong read(RowCalls calls, String row) throws IOException {
    List<Long> numbers = calls.getAll(row, PATIENCE);
    if (numbers.size() != 0 && (numbers.size() != 2 || !numbers.get(0).equals(numbers.get(1)))) {
      parts
          .failures()
          .add(row + " has a part of a bulk load: the numbers of its families are " + numbers);
    }
    return numbers.isEmpty() ? OptionalLong.empty() : OptionalLong.of(numbers.get(0));
  }
}
