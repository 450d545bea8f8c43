package dev.cairn.torture.model;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.schema.FamilySchema;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * One cell of a row, a value or a delete marker, as it was written.
 *
 * @param tags in the order in which the cell has them
 * @param write which write it came with; later writes have higher numbers, cells that were written
 *     together have the same
 * @param unit the part of the write that is kept or lost as one
 * @param filed whether it is in a store file, which compactions rewrite; else it is only in memory
 * @param late whether the flush at the end or start of a process wrote it, so that an interrupted
 *     compaction has not seen it
 */
public record Version(
    String family,
    String qualifier,
    long timestamp,
    CellType type,
    String value,
    List<Tag> tags,
    long write,
    Unit unit,
    boolean filed,
    boolean late) {

  /** The order of a family's cells in an answer. */
  static final Comparator<Version> ORDER =
      Comparator.comparing(Version::family)
          .thenComparing(Version::qualifier)
          .thenComparing(Version::timestamp, Comparator.reverseOrder())
          .thenComparing(v -> v.type().code(), Comparator.reverseOrder());

  /** Returns a cell of an answer, whose writer is unknown. */
  public static Version found(Cell cell) {
    return of(
        Text.of(cell.family()),
        Text.of(cell.qualifier()),
        cell.timestamp(),
        CellType.of(cell.typeCode()),
        Text.of(cell.value()),
        Tag.decode(cell.tags()));
  }

  /** Returns a cell of an answer, whose writer is unknown. */
  public static Version of(
      String family,
      String qualifier,
      long timestamp,
      CellType type,
      String value,
      List<Tag> tags) {
    Unit unit = new Unit(0, Fate.SAFE, "");
    return new Version(family, qualifier, timestamp, type, value, tags, 0, unit, false, false);
  }

  /** Tells whether it is a value. */
  boolean isPut() {
    return type == CellType.PUT;
  }

  /** Tells whether both are of one column. */
  boolean sameColumn(Version other) {
    return family.equals(other.family) && qualifier.equals(other.qualifier);
  }

  /** Tells whether an answer shows at most one of the two: the one that was written last. */
  boolean sameKey(Version other) {
    return sameColumn(other) && timestamp == other.timestamp && type == other.type;
  }

  /** Tells whether an answer with {@code other} in place of this would be the same. */
  boolean looksLike(Version other) {
    return sameKey(other) && value.equals(other.value) && tags.equals(other.tags);
  }

  /** Tells whether this marker hides {@code put}, by place and timestamp. */
  boolean hides(Version put) {
    return switch (type) {
      case DELETE_FAMILY -> family.equals(put.family) && put.timestamp <= timestamp;
      case DELETE_FAMILY_VERSION -> family.equals(put.family) && put.timestamp == timestamp;
      case DELETE_COLUMN -> sameColumn(put) && put.timestamp <= timestamp;
      case DELETE -> sameColumn(put) && put.timestamp == timestamp;
      default -> false;
    };
  }

  /** Tells whether its family's time to live is over. */
  boolean isExpired(FamilySchema schema, long now) {
    long ttl = schema.timeToLiveMillis();
    return ttl != FamilySchema.FOREVER_MILLIS && timestamp + ttl < now;
  }

  /** Tells whether a time to live of its own is over. */
  boolean isExpiredByTag(long now) {
    OptionalLong ttl = Tag.ttlOf(tags);
    return ttl.isPresent() && timestamp + ttl.getAsLong() < now;
  }

  /** Tells whether it has a time to live of its own. */
  boolean isMortal() {
    return Tag.ttlOf(tags).isPresent();
  }

  /** Tells whether it may go without a trace while it is in memory alone. */
  boolean mayGo() {
    return unit.lasting() != Fate.SAFE || isMortal();
  }

  /** Returns the same, in a store file. */
  Version asFiled() {
    return filed ? this : with(true, false);
  }

  /**
   * Returns this version in a store file that the end of a process, or the start of the next,
   * wrote.
   */
  Version asFiledLate() {
    return filed ? this : with(true, true);
  }

  /** Returns this version as an interrupted compaction saw it: in memory if it is late. */
  Version asSeenBefore() {
    return late ? with(false, false) : this;
  }

  /** Returns this version for the state in which no interrupted compaction is left. */
  Version asSettled() {
    return late ? with(filed, false) : this;
  }

  private Version with(boolean inFile, boolean cameLate) {
    return new Version(
        family, qualifier, timestamp, type, value, tags, write, unit, inFile, cameLate);
  }

  @Override
  public String toString() {
    return "%s:%s/%d/%s%s%s%s"
        .formatted(
            Text.show(family),
            Text.show(qualifier),
            timestamp,
            type,
            isPut() ? "=" + Text.show(value) : "",
            tags.isEmpty() ? "" : " tags " + tags.stream().map(Tag::type).toList(),
            write == 0 ? "" : " #" + write + (filed ? " filed" : ""));
  }
}
