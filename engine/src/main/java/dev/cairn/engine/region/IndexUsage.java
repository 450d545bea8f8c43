package dev.cairn.engine.region;

import dev.cairn.engine.index.TableIndexes.Column;
import dev.cairn.engine.index.TableIndexes.Index;
import dev.cairn.engine.region.read.RegionReader;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreView;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What scans of one region gain from an index, and what it takes.
 *
 * @param index the index
 * @param uses how many scans have used it since the region was opened
 * @param openedMillis when the region was opened, milliseconds since 1970
 * @param bytes its bytes in the store files, without files whose index cannot be read
 */
public record IndexUsage(Index index, long uses, long openedMillis, long bytes) {
  private static final Logger LOG = LoggerFactory.getLogger(IndexUsage.class);

  static List<IndexUsage> of(TableSchema schema, RegionStores stores, RegionReader reader) {
    return schema.indexes().all().stream()
        .map(
            index ->
                new IndexUsage(
                    index, reader.indexUses(index), reader.openedMillis(), bytes(index, stores)))
        .toList();
  }

  private static long bytes(Index index, RegionStores stores) {
    long bytes = 0;
    for (Column column : index.columns()) {
      for (Store store : stores.all()) {
        if (Arrays.equals(store.family().name(), column.family())) {
          bytes += bytes(store, column.qualifier());
        }
      }
    }
    return bytes;
  }

  private static long bytes(Store store, byte[] qualifier) {
    StoreView view = store.view();
    if (!view.tryRetain()) {
      return 0; // The view was just replaced, or the region has closed.
    }
    long bytes = 0;
    try {
      for (StoreFile file : view.files()) {
        try {
          bytes += file.indexBytes(qualifier);
        } catch (IOException e) {
          LOG.debug("The size of an index in {} is not known", file.name(), e);
        }
      }
    } finally {
      view.release();
    }
    return bytes;
  }
}
