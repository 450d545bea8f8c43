package dev.cairn.server.catalog;

import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.wal.split.RecoveredEdits;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The contents of one region's directory.
 *
 * @param name the directory's name, which is the region's encoded name
 * @param region the region that {@code .regioninfo} describes; empty if it describes none, or
 *     another one than the directory's name
 * @param files store files with cells of the region's own, each as {@code family/name}
 * @param references store files of other regions of the table that it refers to
 * @param hasEdits true if it has cells that are in no store file yet
 */
public record RegionContents(
    String name,
    Optional<RegionInfo> region,
    Set<String> files,
    Set<Target> references,
    boolean hasEdits) {
  /**
   * A store file of another region of the table.
   *
   * @param region the region's encoded name
   * @param file {@code family/name}
   */
  public record Target(String region, String file) {}

  /** Tells whether the directory has cells that no other one has. */
  public boolean hasCells() {
    return hasEdits || !files.isEmpty();
  }

  /** Tells whether it refers to files of the region {@code encodedName}. */
  public boolean refersTo(String encodedName) {
    return references.stream().anyMatch(target -> target.region().equals(encodedName));
  }

  /** Reads the directory {@code path} of a region of {@code table}. */
  static RegionContents read(Storage storage, TableName table, String path) throws IOException {
    String name = Storage.name(path);
    Set<String> files = new HashSet<>();
    Set<Target> references = new HashSet<>();
    for (Storage.FileInfo family : storage.list(path)) {
      if (!family.directory() || family.name().startsWith(".") || isEdits(family.name())) {
        continue;
      }
      for (Storage.FileInfo file : storage.list(family.path())) {
        if (file.directory() || file.name().startsWith(".")) {
          continue;
        }
        String of = family.name() + "/";
        StoreFileName parsed = StoreFileName.parse(file.name());
        if (parsed instanceof StoreFileName.Half half) {
          references.add(new Target(half.region(), of + half.target().text()));
        } else if (parsed instanceof StoreFileName.Link link
            && link.table().equals(table)
            && !link.region().equals(name)) {
          references.add(new Target(link.region(), of + link.hfile()));
        } else {
          files.add(of + file.name());
        }
      }
    }
    boolean hasEdits = !new RecoveredEdits(storage, path).files().isEmpty();
    return new RegionContents(name, describe(storage, table, path), files, references, hasEdits);
  }

  private static boolean isEdits(String directory) {
    return directory.equals("recovered.edits");
  }

  private static Optional<RegionInfo> describe(Storage storage, TableName table, String path)
      throws IOException {
    String file = new RegionDirectory(path).regionInfo();
    if (!storage.exists(file)) {
      return Optional.empty();
    }
    try {
      RegionInfo region = RegionInfoFormat.fromFile(storage.readAll(file)).asServing();
      boolean isIts =
          region.table().equals(table)
              && region.replicaId() == 0
              && region.encodedName().equals(Storage.name(path));
      return isIts ? Optional.of(region) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
