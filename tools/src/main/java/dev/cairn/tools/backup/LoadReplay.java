package dev.cairn.tools.backup;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.changes.Change;
import dev.cairn.engine.changes.LoadedFiles;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Repeats the bulk loads of a table while its changes are applied. The log names a load after the
 * writes that were made during it, but the loaded cells are older than these writes. So all loads
 * are looked up first, and each one is repeated before the first newer change of its region. One
 * thread.
 */
final class LoadReplay {
  private static final int CELLS_MAX = 1_000;

  private final BackupFolder folder;
  private final Map<String, Deque<Load>> loads = new HashMap<>();

  /** A load with the paths of its files in the folder. */
  private record Load(long sequence, List<String> paths) {}

  private LoadReplay(BackupFolder folder) {
    this.folder = folder;
  }

  /**
   * Looks up the loads.
   *
   * @throws BackupException if a backup does not have the files of a load
   */
  static LoadReplay of(BackupFolder folder, RestorePlan plan, TableName table, Bound bound)
      throws IOException {
    LoadReplay replay = new LoadReplay(folder);
    Map<String, String> places = new HashMap<>();
    for (RestorePlan.LogFile file : plan.loadedInto(table)) {
      places.put(file.file().path(), file.backup().id() + "/" + file.file().path());
    }
    if (places.isEmpty()) {
      return replay;
    }
    Set<String> inSnapshot = new HashSet<>();
    plan.full().files().forEach(file -> inSnapshot.add(file.path()));
    for (RestorePlan.LogFile log : plan.logs()) {
      try (WalReader reader =
          WalReader.open(folder.storage(), log.backup().id() + "/" + log.file().path())) {
        while (reader.next()) {
          WalEntry entry = reader.entry();
          if (entry.table().equals(table) && bound.has(entry) && Change.isBulkLoad(entry.cells())) {
            replay.add(entry, places, inSnapshot);
          }
        }
      }
    }
    return replay;
  }

  private void add(WalEntry entry, Map<String, String> places, Set<String> inSnapshot)
      throws IOException {
    LoadedFiles loaded = LoadedFiles.of(entry.table(), entry.region(), entry.cells());
    List<String> paths = new ArrayList<>();
    for (LoadedFiles.File file : loaded.files()) {
      if (!inSnapshot.contains(BackupFile.ROOT + file.store().archivedFile(file.name()))) {
        String place = places.get(LoadCopies.path(file));
        if (place == null) {
          throw new BackupException("nothing was restored: no backup has " + file.path());
        }
        paths.add(place);
      }
    }
    Deque<Load> ofRegion = loads.computeIfAbsent(entry.region(), key -> new ArrayDeque<>());
    ofRegion.add(new Load(loaded.sequence(), paths));
    List<Load> sorted = new ArrayList<>(ofRegion);
    sorted.sort(Comparator.comparingLong(Load::sequence));
    ofRegion.clear();
    ofRegion.addAll(sorted);
  }

  /** Repeats the loads that are older than a change. */
  void before(WalEntry entry, ChangeApplier applier) throws IOException {
    Deque<Load> ofRegion = loads.getOrDefault(entry.region(), new ArrayDeque<>());
    while (!ofRegion.isEmpty() && ofRegion.peek().sequence() < entry.sequence()) {
      for (String path : ofRegion.remove().paths()) {
        apply(path, applier);
      }
    }
  }

  private void apply(String path, ChangeApplier applier) throws IOException {
    try (HFileReader file =
        HFileReader.open(
            folder.storage(), path, new BlockCache(0, Runnable::run), CellComparator.USER)) {
      if (file.info().firstKey().isEmpty()) {
        return;
      }
      CellBuffer cells = new CellBuffer();
      byte[] before = {};
      try (CellCursor cursor = file.cursor(false)) {
        for (boolean on = cursor.seek(file.info().firstKey().get()); on; on = cursor.next()) {
          Cell cell = cursor.cell();
          byte[] key =
              Arrays.copyOfRange(
                  cell.bytes(), cell.keyOffset(), cell.keyOffset() + cell.keyLength());
          if (Arrays.equals(key, before)) {
            continue; // Of equal keys, reads see the first one.
          }
          before = key;
          cells.add(cell);
          if (cells.size() == CELLS_MAX) {
            applier.add(cells);
            cells.clear();
          }
        }
      }
      if (!cells.isEmpty()) {
        applier.add(cells);
      }
    }
  }
}
