package dev.cairn.engine.store;

import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.HFileWriter;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.scan.CompactionCursor;
import dev.cairn.engine.scan.MergingCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes store files: beside the data first, synced, then renamed into their place. What a crash
 * leaves beside the data is swept when the region opens.
 */
final class StoreFileWriter {
  private final Store store;

  StoreFileWriter(Store store) {
    this.store = store;
  }

  /** Writes segments to one file. */
  StoreFile flush(List<MemStoreSegment> segments, long sequence, long oldestReadPoint)
      throws IOException {
    List<CellCursor> sources = new ArrayList<>();
    for (MemStoreSegment segment : segments) {
      sources.add(segment.cursor(Long.MAX_VALUE));
    }
    return write(sources, CompactionCursor.Mode.FLUSH, oldestReadPoint, sequence, List.of());
  }

  /** Merges files into one. */
  StoreFile merge(List<StoreFile> inputs, boolean major, long oldestReadPoint) throws IOException {
    List<CellCursor> sources = new ArrayList<>();
    long sequence = 0;
    for (int i = inputs.size() - 1; i >= 0; i--) {
      sources.add(inputs.get(i).reader().cursor(false));
      sequence = Math.max(sequence, inputs.get(i).maxSequence());
    }
    CompactionCursor.Mode mode = major ? CompactionCursor.Mode.MAJOR : CompactionCursor.Mode.MINOR;
    return write(sources, mode, oldestReadPoint, sequence, inputs);
  }

  private StoreFile write(
      List<CellCursor> sources,
      CompactionCursor.Mode mode,
      long oldestReadPoint,
      long sequence,
      List<StoreFile> inputs)
      throws IOException {
    StoreEnvironment environment = store.environment();
    String name = environment.fileNames().get();
    String temporary = store.temporaryPath(name);
    try (CompactionCursor kept =
            new CompactionCursor(
                MergingCursor.of(store.comparator(), sources),
                store.family(),
                mode,
                environment.clock().currentTimeMillis(),
                oldestReadPoint,
                environment.settings().purgeDeletesAfterMillis());
        HFileWriter file =
            new HFileWriter(
                environment.storage(), temporary, store.options(), environment.clock())) {
      while (kept.next()) {
        file.append(kept.cell());
      }
      file.setMaxSequence(sequence);
      file.setMajorCompaction(mode == CompactionCursor.Mode.MAJOR);
      if (!inputs.isEmpty()) {
        var event = StoreFiles.compactionEvent(environment.storage(), store.finalPath(""), inputs);
        file.putFileInfo(event.getKey(), event.getValue());
      }
      file.finish();
    }
    String path = store.finalPath(name);
    environment.storage().rename(temporary, path);
    return StoreFile.open(environment.storage(), path, environment.cache(), store.comparator());
  }
}
