package dev.cairn.server.verify;

import dev.cairn.engine.hfile.inspect.HFileInspector;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.mob.MobFileRefs;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Finding;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/**
 * Checks that the MOB files exist to which a store file's cells refer. Archived store files are not
 * checked: their MOB files may be gone already.
 */
final class MobPointers {
  private static final Set<String> OTHER_PLACES = Set.of("archive", ".tmp", MobDirectory.ROOT);

  private final Storage storage;

  MobPointers(Storage storage) {
    this.storage = storage;
  }

  /** Returns one finding for each MOB file that is missing. */
  List<Finding> verify(String path) throws IOException {
    if (!isInUse(path)) {
      return List.of();
    }
    StoreDirectory store = store(path);
    List<Finding> findings = new ArrayList<>();
    for (Map.Entry<TableName, SortedSet<String>> table : refs(path).files().entrySet()) {
      MobDirectory directory =
          MobDirectory.of(store.dataDirectory(), table.getKey(), store.family());
      for (String file : table.getValue()) {
        List<String> locations = directory.locations(file);
        // Between two looks a file may move from one place to the next.
        if (!exists(locations) && !exists(locations)) {
          findings.add(
              new Finding(path, 0, "it refers to a MOB file that is in none of " + locations));
        }
      }
    }
    return findings;
  }

  private MobFileRefs refs(String path) throws IOException {
    try (HFileInspector file = HFileInspector.open(storage, path)) { // in whatever order it is
      return MobFileRefs.of(path, file.reader().info()).orElse(MobFileRefs.NONE);
    }
  }

  /** Tells whether a file is in a table's directory, and not in a copy of it elsewhere. */
  private static boolean isInUse(String path) {
    if (!FileKind.of(path).equals(Optional.of(FileKind.HFILE))) {
      return false; // a single file in any place
    }
    String data = store(path).dataDirectory();
    String root = data.substring(0, Math.max(0, data.lastIndexOf('/')));
    return !OTHER_PLACES.contains(Storage.name(root));
  }

  private static StoreDirectory store(String path) {
    return StoreDirectory.parse(path.substring(0, path.lastIndexOf('/')));
  }

  private boolean exists(List<String> paths) throws IOException {
    for (String path : paths) {
      if (storage.exists(path)) {
        return true;
      }
    }
    return false;
  }
}
