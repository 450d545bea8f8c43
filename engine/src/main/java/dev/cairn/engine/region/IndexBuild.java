package dev.cairn.engine.region;

import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.index.TableIndexes.Column;
import dev.cairn.engine.index.TableIndexes.Index;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFile;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How much of an index exists in one region. Cells in memory always have it.
 *
 * @param index the index
 * @param files the number of store files of its families
 * @param indexedFiles the number of these files that have the index
 * @param problem why the last attempt to give files the index failed, one sentence; empty if it did
 *     not
 */
public record IndexBuild(Index index, int files, int indexedFiles, Optional<String> problem) {
  /** Creates the state of a build in which nothing has failed. */
  public IndexBuild(Index index, int files, int indexedFiles) {
    this(index, files, indexedFiles, Optional.empty());
  }

  /** Tells whether all files have the index. Scans use it then. */
  public boolean isComplete() {
    return indexedFiles == files;
  }

  /** Returns the state of all indexes of a table in a region. Reads nothing from storage. */
  static List<IndexBuild> of(TableSchema schema, RegionStores stores) {
    return schema.indexes().all().stream().map(index -> of(index, stores)).toList();
  }

  private static IndexBuild of(Index index, RegionStores stores) {
    int files = 0;
    int indexed = 0;
    Optional<String> problem = Optional.empty();
    for (Store store : stores.all()) {
      IndexedColumns columns = columns(index, store.family().name());
      if (columns.count() > 0) {
        problem = problem.or(store::indexProblem);
        for (StoreFile file : store.view().files()) {
          files++;
          indexed += file.hasIndexes(columns) ? 1 : 0;
        }
      }
    }
    return new IndexBuild(index, files, indexed, indexed == files ? Optional.empty() : problem);
  }

  private static IndexedColumns columns(Index index, byte[] family) {
    return IndexedColumns.of(
        index.columns().stream()
            .filter(column -> Arrays.equals(column.family(), family))
            .map(Column::qualifier)
            .toList());
  }
}
