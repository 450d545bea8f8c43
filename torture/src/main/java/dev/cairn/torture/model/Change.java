package dev.cairn.torture.model;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.TimeRange;
import java.util.List;

/**
 * One change of one row, as a client asks for it.
 *
 * @param cells what to write: values, markers, amounts to add, or what to append. None, in a
 *     delete: the whole row
 * @param durability never USE_DEFAULT: the creator knows the table's setting
 * @param range which existing cells an increment or append builds on
 * @param resultWanted whether an increment or append returns the new cells
 */
public record Change(
    Mutation.Kind kind,
    String row,
    List<Part> cells,
    Mutation.Durability durability,
    TimeRange range,
    boolean resultWanted) {

  /**
   * One cell of a change.
   *
   * @param timestamp {@link Cell#LATEST_TIMESTAMP} for the server's
   */
  public record Part(
      String family,
      String qualifier,
      long timestamp,
      CellType type,
      String value,
      List<Tag> tags) {
    @Override
    public String toString() {
      return "%s:%s/%s/%s%s%s"
          .formatted(
              Text.show(family),
              Text.show(qualifier),
              timestamp == Cell.LATEST_TIMESTAMP ? "now" : timestamp,
              type,
              value.isEmpty() ? "" : "=" + Text.show(value),
              tags.isEmpty() ? "" : " ttl " + Tag.ttlOf(tags));
    }
  }

  /** Tells whether the log does not have it. */
  boolean isUnlogged() {
    return durability == Mutation.Durability.SKIP_WAL;
  }

  /** Returns the mutation that the engine understands; a new one each time, since it is changed. */
  public Mutation mutation() {
    CellBuffer buffer = new CellBuffer();
    for (Part part : cells) {
      buffer.add(
          Text.bytes(row),
          Text.bytes(part.family),
          Text.bytes(part.qualifier),
          part.timestamp,
          part.type.code(),
          Text.bytes(part.value),
          Tag.encode(part.tags));
    }
    return new Mutation(kind, Text.bytes(row), buffer, durability, range, resultWanted);
  }

  @Override
  public String toString() {
    return kind + " " + Text.show(row) + " " + cells + " " + durability;
  }
}
