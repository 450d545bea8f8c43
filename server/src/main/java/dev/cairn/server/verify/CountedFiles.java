package dev.cairn.server.verify;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.Finding;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.tracking.StoreFileTracker;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.TableDescriptors;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Knows which files of the stores in a folder count, by the trackers that the tables' descriptors
 * name. A server may serve the folder meanwhile. For one thread.
 */
public final class CountedFiles {
  private static final int ATTEMPTS = 10;
  private static final String MISSING =
      "it is missing, but the list of the store's files names it. Restore it from a backup";

  private final Storage storage;
  private final StoreFileTracking otherwise;
  private final Map<String, Optional<TableSchema>> tables = new HashMap<>();

  /**
   * Creates it for the stores below any folder of {@code storage}.
   *
   * @param otherwise the tracker of families whose descriptors name none
   */
  public CountedFiles(Storage storage, StoreFileTracking.Kind otherwise) {
    this.storage = storage;
    this.otherwise = StoreFileTracking.of(otherwise);
  }

  /**
   * Returns the names in the list of a store's files; empty if all files in its directory count, or
   * if no descriptor of its table can be read.
   *
   * @param directory the store's directory; for any other directory nothing is returned
   * @throws DamagedFileException if the store's list is missing or damaged
   */
  public Optional<Set<String>> listed(String directory) throws IOException {
    Optional<StoreFileTracking> tracking = tracking(directory);
    if (tracking.isEmpty() || tracking.get().source() == StoreFileTracking.Kind.DEFAULT) {
      return Optional.empty();
    }
    for (int attempt = 1; ; attempt++) {
      try {
        return Optional.of(
            StoreFileTracker.listed(storage, directory).stream()
                .map(TrackedFile::name)
                .collect(Collectors.toSet()));
      } catch (FileNotFoundException | NoSuchFileException e) {
        // A server has replaced the list between the look at its name and at its content.
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /**
   * Returns the files that a store's list names and that do not exist, sorted by name. Reads the
   * list again if files seem to be missing, because a server changes the list before it removes a
   * file.
   *
   * @param listed the names in the list
   * @throws DamagedFileException if the store's list is missing or damaged by now
   */
  public List<Finding> missing(String directory, Set<String> listed) throws IOException {
    List<String> absent = new ArrayList<>();
    for (String name : listed) {
      if (!storage.exists(Storage.join(directory, name))) {
        absent.add(name);
      }
    }
    if (!absent.isEmpty()) {
      absent.retainAll(listed(directory).orElse(Set.of()));
    }
    return absent.stream()
        .sorted()
        .map(name -> new Finding(Storage.join(directory, name), 0, MISSING))
        .toList();
  }

  private Optional<StoreFileTracking> tracking(String directory) throws IOException {
    try {
      StoreDirectory store = StoreDirectory.parse(directory);
      Optional<TableSchema> table = table(store);
      Optional<FamilySchema> family =
          table.flatMap(known -> known.family(Bytes.utf8(store.family())));
      return family.map(known -> StoreFileTracking.of(table.get(), known, otherwise));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // no store, or a tracker that no server knows
    }
  }

  private Optional<TableSchema> table(StoreDirectory store) throws IOException {
    String directory =
        Storage.join(
            store.dataDirectory(), store.table().namespace() + "/" + store.table().qualifier());
    Optional<TableSchema> known = tables.get(directory);
    if (known == null) {
      known = read(directory);
      tables.put(directory, known);
    }
    return known;
  }

  private Optional<TableSchema> read(String directory) throws IOException {
    try {
      return TableDescriptors.read(storage, directory);
    } catch (DamagedFileException | FileNotFoundException | NoSuchFileException e) {
      return Optional.empty(); // The check of descriptors tells it.
    }
  }
}
