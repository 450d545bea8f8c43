package dev.cairn.torture.model;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Turns a change into the cells that it writes, given what the row holds.
 *
 * @param write the number of the write that it is part of
 * @param logged the fate of the logged part of the write, once it is made
 * @param now the server's time, milliseconds since 1970
 * @param time the replacement of the latest timestamp
 */
record Resolver(TableSchema schema, long write, Fate logged, long now, long time) {

  /**
   * Returns the cells; empty if the change is impossible because it adds to a value that is no
   * number.
   */
  Optional<List<Version>> resolve(Change change, History row) {
    Fate lasting = change.isUnlogged() ? Fate.UNLOGGED : logged;
    List<Version> written = new ArrayList<>();
    for (int i = 0; i < change.cells().size(); i++) {
      Change.Part part = change.cells().get(i);
      Optional<Version> version =
          switch (change.kind()) {
            case PUT -> Optional.of(stamped(part, time, lasting));
            case DELETE -> Optional.of(stamped(part, timestampOfMarker(change, i, row), lasting));
            case INCREMENT, APPEND -> building(change, part, row, lasting);
          };
      if (version.isEmpty()) {
        return Optional.empty();
      }
      written.add(version.get());
    }
    if (change.cells().isEmpty()) {
      for (FamilySchema family : schema.families()) {
        written.add(
            version(
                Text.of(family.name()), "", time, CellType.DELETE_FAMILY, "", List.of(), lasting));
      }
    }
    if (change.kind().isComputed()) {
      written.sort(Version.ORDER);
    }
    return Optional.of(written);
  }

  private Version stamped(Change.Part part, long latest, Fate lasting) {
    long timestamp = part.timestamp() == Cell.LATEST_TIMESTAMP ? latest : part.timestamp();
    return version(
        part.family(),
        part.qualifier(),
        timestamp,
        part.type(),
        part.value(),
        part.tags(),
        lasting);
  }

  /**
   * A marker for one version without a timestamp means the newest; the second such marker of a
   * column in one change means the second newest; and so on.
   */
  private long timestampOfMarker(Change change, int index, History row) {
    Change.Part marker = change.cells().get(index);
    if (marker.type() != CellType.DELETE || marker.timestamp() != Cell.LATEST_TIMESTAMP) {
      return time;
    }
    int nth = 1;
    for (Change.Part before : change.cells().subList(0, index)) {
      if (before.type() == CellType.DELETE
          && before.timestamp() == Cell.LATEST_TIMESTAMP
          && before.family().equals(marker.family())
          && before.qualifier().equals(marker.qualifier())) {
        nth++;
      }
    }
    List<Version> newest = column(row, marker, TimeRange.ALL, nth);
    return newest.size() < nth ? time : newest.get(nth - 1).timestamp();
  }

  private Optional<Version> building(Change change, Change.Part part, History row, Fate lasting) {
    List<Version> found = column(row, part, change.range(), 1);
    if (found.isEmpty()) {
      return Optional.of(stamped(part, time, lasting));
    }
    Version current = found.get(0);
    String value;
    if (change.kind() == Mutation.Kind.APPEND) {
      value = current.value() + part.value();
    } else if (current.value().length() == Long.BYTES) {
      value = Text.of(Bytes.ofLong(number(current.value()) + number(part.value())));
    } else {
      return Optional.empty();
    }
    return Optional.of(
        version(
            part.family(),
            part.qualifier(),
            current.timestamp() <= time ? time : current.timestamp() + 1,
            CellType.PUT,
            value,
            carriedOn(part.tags(), current.tags()),
            lasting));
  }

  /** A changed cell keeps the tags of the one before; of two times to live the new one holds. */
  private static List<Tag> carriedOn(List<Tag> own, List<Tag> older) {
    OptionalLong ttl = Tag.ttlOf(own);
    List<Tag> all = new ArrayList<>(own);
    older.stream().filter(tag -> ttl.isEmpty() || tag.type() != Tag.TTL).forEach(all::add);
    return all;
  }

  private List<Version> column(History row, Change.Part part, TimeRange range, int versions) {
    TreeMap<String, Query.Selection> families = new TreeMap<>();
    families.put(
        part.family(),
        new Query.Selection(new TreeSet<>(List.of(part.qualifier())), Optional.empty()));
    return row.read(
        schema,
        new Query("", true, "", false, false, families, range, versions, false, -1, 0),
        now);
  }

  private Version version(
      String family,
      String qualifier,
      long timestamp,
      CellType type,
      String value,
      List<Tag> tags,
      Fate lasting) {
    Unit unit = new Unit(write, lasting, lasting == Fate.UNLOGGED ? family : "");
    return new Version(family, qualifier, timestamp, type, value, tags, write, unit, false, false);
  }

  private static long number(String value) {
    return Bytes.getLong(Text.bytes(value), 0);
  }
}
