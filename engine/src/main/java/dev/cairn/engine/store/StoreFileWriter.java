package dev.cairn.engine.store;

import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.HFileOptions;
import dev.cairn.engine.hfile.HFileSettings;
import dev.cairn.engine.hfile.HFileWriter;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.scan.CompactionCursor;
import dev.cairn.engine.scan.MergingCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Writes store files: beside the data first, synced, then renamed into their place. What a crash
 * leaves beside the data is swept when the region opens.
 *
 * <p>A file whose rename or first opening fails may stand in its place although the store does not
 * list it. Left there, it would come back to life at the next opening, next to later files that
 * were written without it, with cells whose delete markers are gone by then. So it is deleted; and
 * as long as that fails, too, no other file is written. Thread-safe.
 */
final class StoreFileWriter {
  private final Store store;
  private final Set<String> strays = new LinkedHashSet<>(); // guarded by itself

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
    return write(
            sources, CompactionCursor.Mode.FLUSH, oldestReadPoint, sequence, List.of(), () -> false)
        .orElseThrow();
  }

  /**
   * Merges files into one.
   *
   * @param stop asked again and again; once it says true, nothing is written
   * @return the file, empty if it was stopped
   */
  Optional<StoreFile> merge(
      List<StoreFile> inputs, boolean major, long oldestReadPoint, BooleanSupplier stop)
      throws IOException {
    List<CellCursor> sources = new ArrayList<>();
    long sequence = 0;
    for (int i = inputs.size() - 1; i >= 0; i--) {
      sources.add(inputs.get(i).passCursor());
      sequence = Math.max(sequence, inputs.get(i).maxSequence());
    }
    CompactionCursor.Mode mode = major ? CompactionCursor.Mode.MAJOR : CompactionCursor.Mode.MINOR;
    return write(sources, mode, oldestReadPoint, sequence, inputs, stop);
  }

  private Optional<StoreFile> write(
      List<CellCursor> sources,
      CompactionCursor.Mode mode,
      long oldestReadPoint,
      long sequence,
      List<StoreFile> inputs,
      BooleanSupplier stop)
      throws IOException {
    StoreEnvironment environment = store.environment();
    deleteStrays();
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
                environment.storage(),
                temporary,
                options(mode),
                environment.clock(),
                environment.helpers())) {
      while (kept.next()) {
        file.append(kept.cell());
        if (stop.getAsBoolean()) {
          return Optional.empty();
        }
      }
      file.setMaxSequence(sequence);
      file.setMajorCompaction(mode == CompactionCursor.Mode.MAJOR);
      if (!inputs.isEmpty()) {
        var event = StoreFiles.compactionEvent(environment.storage(), store.finalPath(""), inputs);
        file.putFileInfo(event.getKey(), event.getValue());
      }
      file.finish();
    }
    return Optional.of(publish(temporary, store.finalPath(name)));
  }

  private HFileOptions options(CompactionCursor.Mode mode) {
    HFileSettings settings = store.environment().settings().files();
    return mode == CompactionCursor.Mode.FLUSH
        ? HFileOptions.of(store.family(), store.comparator(), settings)
        : HFileOptions.ofCompaction(
            store.family(), store.comparator(), settings, mode == CompactionCursor.Mode.MAJOR);
  }

  private StoreFile publish(String temporary, String path) throws IOException {
    StoreEnvironment environment = store.environment();
    try {
      environment.storage().rename(temporary, path);
      return StoreFile.open(environment, path, store.comparator());
    } catch (IOException | RuntimeException | Error e) {
      synchronized (strays) {
        strays.add(path);
        strays.add(temporary);
      }
      try {
        deleteStrays();
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  private void deleteStrays() throws IOException {
    synchronized (strays) {
      for (Iterator<String> all = strays.iterator(); all.hasNext(); ) {
        String path = all.next();
        try {
          store.environment().storage().delete(path);
        } catch (IOException e) {
          throw new IOException(
              "Cannot remove "
                  + path
                  + ", which a failed flush or compaction left; no store file is written before"
                  + " it is gone",
              e);
        }
        all.remove();
      }
    }
  }
}
