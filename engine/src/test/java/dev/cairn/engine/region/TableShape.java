package dev.cairn.engine.region;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A way to store the cells of a table, which must not change an answer.
 *
 * @param name the name that a failure prints
 * @param attributes the attributes that each family gets in addition to its own
 * @param afterWrite runs after each write
 * @param beforeRead runs before each read
 */
record TableShape(String name, Map<String, String> attributes, Step afterWrite, Step beforeRead) {
  /** Changes how a table stores its cells. */
  interface Step {
    void run(CaseTable table) throws IOException;
  }

  private static final Step NOTHING = table -> {};

  /** All cells are in the memstore, unless the case itself flushes. */
  static final TableShape MEMORY = new TableShape("memory", Map.of(), NOTHING, NOTHING);

  /** Returns the shapes in which the answers of a case in {@code scope} must be the same. */
  static List<TableShape> of(TextCase.Scope scope) {
    List<TableShape> shapes = new ArrayList<>(List.of(MEMORY));
    Step flush = scope == TextCase.Scope.AS_WRITTEN ? NOTHING : CaseTable::flush;
    shapes.add(new TableShape("small blocks", blocks("NONE"), NOTHING, flush));
    for (String encoding : List.of("PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1")) {
      shapes.add(new TableShape(encoding, blocks(encoding), NOTHING, flush));
    }
    if (scope == TextCase.Scope.AS_WRITTEN) {
      return shapes;
    }
    shapes.add(new TableShape("gz", Map.of("COMPRESSION", "GZ"), NOTHING, flush));
    shapes.add(new TableShape("one file a write", Map.of(), flush, NOTHING));
    shapes.add(new TableShape("restarted", Map.of(), NOTHING, CaseTable::restart));
    shapes.add(new TableShape("crashed", Map.of(), NOTHING, CaseTable::crash));
    shapes.add(new TableShape("split", Map.of(), NOTHING, CaseTable::splitInTwo));
    if (scope == TextCase.Scope.ALL) {
      shapes.add(new TableShape("minor compaction", Map.of(), flush, CaseTable::compact));
      shapes.add(
          new TableShape("major compaction", blocks("NONE"), flush, CaseTable::majorCompact));
    }
    return shapes;
  }

  /** Returns attributes that put few cells into each block. */
  private static Map<String, String> blocks(String encoding) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("DATA_BLOCK_ENCODING", encoding);
    attributes.put("BLOCKSIZE", "100");
    attributes.put("BLOOMFILTER", "ROWCOL");
    return attributes;
  }
}
