package dev.cairn.engine.region;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.explain.SourceFacts;
import dev.cairn.engine.hfile.reader.HFileInfo;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says of the memstores and files of a view what an explanation shows. */
final class ExplainedSources {
  private ExplainedSources() {}

  /** Returns the facts, newest first, in the order of {@code StoreCursors.everything}. */
  static List<SourceFacts> of(StoreView view) {
    List<SourceFacts> facts = new ArrayList<>();
    for (MemStoreSegment segment : view.segments()) {
      facts.add(
          new SourceFacts(
              "",
              segment != view.active(),
              segment.cellCount(),
              segment.dataSize(),
              segment.minTimestamp(),
              segment.maxTimestamp(),
              Optional.empty(),
              Optional.empty(),
              "NONE"));
    }
    for (int i = view.files().size() - 1; i >= 0; i--) {
      facts.add(of(view.files().get(i)));
    }
    return facts;
  }

  private static SourceFacts of(StoreFile file) {
    HFileInfo info = file.reader().info();
    return new SourceFacts(
        file.name(),
        false,
        info.entryCount(),
        file.length(),
        info.minTimestamp(),
        info.maxTimestamp(),
        info.firstKey().map(Cell::row),
        info.lastKey().map(Cell::row),
        info.bloomType().name());
  }
}
