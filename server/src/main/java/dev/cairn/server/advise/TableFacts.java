package dev.cairn.server.advise;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.keys.KeyDisplay;
import dev.cairn.keys.KeyFormat;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * The facts about a table, without its calls.
 *
 * @param schema its descriptor
 * @param borders the first rows of the known regions except the first one, ascending and different
 * @param isWhole whether all regions of the table are known
 * @param servers the number of region servers; empty if unknown
 * @param cacheBytes the size of the block caches of all servers together; 0 if unknown
 * @param families the figures of the files of each family
 * @param indexes the figures of each index in the known regions
 * @param nowMillis the time of the facts, milliseconds since 1970
 */
public record TableFacts(
    TableSchema schema,
    List<byte[]> borders,
    boolean isWhole,
    OptionalInt servers,
    long cacheBytes,
    List<StoreFigures> families,
    List<IndexFigures> indexes,
    long nowMillis) {
  /** Copies the lists, and orders the borders. */
  public TableFacts {
    borders = borders.stream().sorted(Arrays::compareUnsigned).toList();
    families = List.copyOf(families);
    indexes = List.copyOf(indexes);
  }

  /** Returns the number of known regions. */
  public int regions() {
    return borders.size() + 1;
  }

  /** Returns how the table's row keys are shown. */
  KeyDisplay keys() {
    return KeyDisplay.of(schema.attribute(KeyFormat.TABLE_ATTRIBUTE));
  }

  /** Returns the name of the table. */
  public String table() {
    return schema.name().toString();
  }
}
