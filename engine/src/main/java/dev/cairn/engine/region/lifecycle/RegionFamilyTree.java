package dev.cairn.engine.region.lifecycle;

import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.region.ClosedFiles;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The regions of one table as their directories show them: parents that were split, daughters, and
 * what a split that was cut off has left. Not thread-safe.
 */
public final class RegionFamilyTree {
  private final TableName table;
  private final String dataDirectory;
  private final Storage storage;
  private final HFileArchive archive;

  /** Creates a view of the table's directory under {@code dataDirectory}. */
  public RegionFamilyTree(TableName table, String dataDirectory, Storage storage) {
    this.table = table;
    this.dataDirectory = dataDirectory;
    this.storage = storage;
    this.archive = new HFileArchive(storage);
  }

  /**
   * The valid regions of a table, by their {@code .regioninfo} files.
   *
   * @param serving regions to open, by start key
   * @param parents regions that were split and whose daughters may still need their files
   */
  public record Census(List<RegionInfo> serving, List<RegionInfo> parents) {}

  /**
   * Returns the valid regions and removes the daughters of uncommitted splits. For an engine
   * without a catalog whose splits end with {@link RegionSplit#commit}, after a crash and before
   * any region is opened. Not for a table that {@code hbase:meta} lists.
   *
   * <p>The answer survives a power cut. The crashed process may have replaced a {@code .regioninfo}
   * without syncing its name. A power cut would then undo the split after its daughters have taken
   * writes, so this method syncs each region's directory before it reads that file.
   *
   * @throws IOException also if such a daughter holds cells of its own: then it was not left by a
   *     split that was cut off, and nothing is removed
   */
  public Census settle() throws IOException {
    List<RegionInfo> serving = new ArrayList<>();
    List<RegionInfo> parents = new ArrayList<>();
    for (String region : regions()) {
      storage.syncDirectory(directory(region));
      Optional<RegionInfo> info = read(region);
      if (info.isEmpty()) {
        archive.archiveRegion(directory(region), dataDirectory, table, region);
      } else if (info.get().split()) {
        parents.add(info.get());
      } else {
        serving.add(info.get());
      }
    }
    List<RegionInfo> unfinished =
        serving.stream()
            .filter(region -> serving.stream().anyMatch(older -> isDaughter(region, older)))
            .toList();
    for (RegionInfo daughter : unfinished) {
      checkOwnsNothing(daughter);
    }
    for (RegionInfo daughter : unfinished) {
      discard(daughter.encodedName());
    }
    serving.removeAll(unfinished);
    serving.sort((a, b) -> a.comparator().compareRows(a.startKey(), b.startKey()));
    return new Census(List.copyOf(serving), List.copyOf(parents));
  }

  /**
   * Tells whether another region of the table refers to files of {@code region}, now or when it was
   * closed. A reference that is missing now may be restored later.
   */
  public boolean isReferredTo(RegionInfo region) throws IOException {
    for (String other : regions()) {
      List<String> names =
          new ArrayList<>(storeFiles(other).stream().map(Storage.FileInfo::name).toList());
      names.addAll(new ClosedFiles(storage, new RegionDirectory(directory(other))).names());
      for (String name : names) {
        if (StoreFileName.parse(name) instanceof StoreFileName.Half half
            && half.region().equals(region.encodedName())) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Archives the files of a region that was split and removes its directory, unless there still are
   * references to it. Links do not matter: they find the files in the archive.
   *
   * @return whether it is gone
   */
  public boolean retire(RegionInfo parent) throws IOException {
    if (isReferredTo(parent)) {
      return false;
    }
    archive.archiveRegion(
        directory(parent.encodedName()), dataDirectory, table, parent.encodedName());
    return true;
  }

  /** Removes a daughter's directory, with the back references of its links. */
  void discard(String region) throws IOException {
    for (Storage.FileInfo file : storeFiles(region)) {
      if (StoreFileName.parse(file.name()) instanceof StoreFileName.Link link) {
        String family = Storage.name(parentOf(file.path()));
        storage.delete(
            new StoreDirectory(dataDirectory, table, region, family).backReference(link));
      }
    }
    storage.delete(directory(region));
  }

  private static boolean isDaughter(RegionInfo region, RegionInfo older) {
    return older.regionId() < region.regionId()
        && older.contains(region.startKey())
        && (older.endKey().length == 0
            || region.endKey().length > 0
                && region.comparator().compareRows(region.endKey(), older.endKey()) <= 0);
  }

  private void checkOwnsNothing(RegionInfo daughter) throws IOException {
    for (Storage.FileInfo file : storeFiles(daughter.encodedName())) {
      if (StoreFileName.parse(file.name()) instanceof StoreFileName.Plain) {
        throw new IOException(
            file.path()
                + " belongs to a region that lies within another, older one. Which of them counts"
                + " is not known here");
      }
    }
  }

  private List<String> regions() throws IOException {
    return storage.list(RegionDirectory.ofTable(dataDirectory, table)).stream()
        .filter(entry -> entry.directory() && !entry.name().startsWith("."))
        .map(Storage.FileInfo::name)
        .toList();
  }

  private Optional<RegionInfo> read(String region) throws IOException {
    String path = new RegionDirectory(directory(region)).regionInfo();
    if (!storage.exists(path)) {
      return Optional.empty();
    }
    try {
      return Optional.of(RegionInfoFormat.fromFile(storage.readAll(path)));
    } catch (IllegalArgumentException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
  }

  private List<Storage.FileInfo> storeFiles(String region) throws IOException {
    List<Storage.FileInfo> files = new ArrayList<>();
    for (Storage.FileInfo family : storage.list(directory(region))) {
      if (family.directory() && !family.name().startsWith(".")) {
        for (Storage.FileInfo file : storage.list(family.path())) {
          if (!file.directory() && !file.name().startsWith(".")) {
            files.add(file);
          }
        }
      }
    }
    return files;
  }

  private String directory(String region) {
    return Storage.join(RegionDirectory.ofTable(dataDirectory, table), region);
  }

  private static String parentOf(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }
}
