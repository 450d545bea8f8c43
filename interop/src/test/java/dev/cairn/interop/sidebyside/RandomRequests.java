package dev.cairn.interop.sidebyside;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.torture.model.Change;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.Query.Selection;
import dev.cairn.torture.model.Swarm;
import dev.cairn.torture.model.Swarm.Feature;
import dev.cairn.torture.model.Tag;
import dev.cairn.torture.model.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Draws changes and queries for one table. Columns and times are few, so that they collide.
 *
 * @param swarm the features of the run
 * @param has the kinds of data that the table may have
 * @param base the time at which the steps begin; the times that steps state are days away from it
 */
record RandomRequests(
    RandomGenerator random, TableSchema schema, Swarm swarm, TableKind has, long base) {
  private static final long DAY = 86_400_000;

  private static final int BATCH_MAX = 4;

  String row() {
    return Text.of(swarm.bytes().row(random));
  }

  /** Returns where a range of rows may begin or end. */
  private String bound() {
    return Text.of(swarm.bytes().bound(random));
  }

  /** Returns how many changes to make at once: many if there are many rows. */
  int batch() {
    return 1 + random.nextInt(Math.max(BATCH_MAX, swarm.bytes().rows() / 4));
  }

  String familyName() {
    List<FamilySchema> all = List.copyOf(schema.families());
    return Text.of(all.get(random.nextInt(all.size())).name());
  }

  String column() {
    if (swarm.has(Feature.COMPUTED) && random.nextInt(7) == 0) {
      return "n" + random.nextInt(2);
    }
    String drawn = Text.of(swarm.bytes().qualifier(random));
    return drawn.isEmpty() && !has.emptyQualifiers() ? "q" : drawn;
  }

  /** Returns a value that others may have as well; sometimes none, or a number. */
  String shortValue() {
    return switch (random.nextInt(10)) {
      case 0 -> "";
      case 1 -> number();
      default -> "v" + random.nextInt(20);
    };
  }

  private String number() {
    return Text.of(Bytes.ofLong(random.nextInt(-5, 1000)));
  }

  private String value() {
    return random.nextInt(3) == 0 ? Text.of(swarm.bytes().value(random)) : shortValue();
  }

  /** Returns a time that a step says itself. */
  private long time() {
    return random.nextInt(6) == 0
        ? base + (1 + random.nextInt(2)) * DAY
        : base - (1 + random.nextInt(7)) * DAY + random.nextInt(2);
  }

  /**
   * Returns a change.
   *
   * @param kind what it is to be
   * @param timed whether it has to say all times itself
   */
  Change change(String row, Kind kind, boolean timed) {
    List<Change.Part> parts = new ArrayList<>();
    if (kind == Kind.DELETE && !timed && has.familyMarkers() && random.nextInt(6) == 0) {
      return new Change(kind, row, parts, durability(), TimeRange.ALL, false);
    }
    List<Tag> tags = tags();
    // The client gives all columns of one put the same, by default.
    boolean ofServer = !swarm.has(Feature.TIMES) || random.nextInt(3) == 0;
    long common = timed || !ofServer ? time() : Cell.LATEST_TIMESTAMP;
    TreeSet<String> columns = new TreeSet<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      Change.Part part = part(kind, common, timed, tags);
      boolean again = !columns.add(part.family() + ":" + part.qualifier());
      if (part.type() == CellType.DELETE_FAMILY) {
        // The client forgets what it was told of the family before.
        parts.removeIf(other -> other.family().equals(part.family()));
      }
      if (!again || kind == Kind.PUT || kind == Kind.DELETE) {
        parts.add(part);
      }
    }
    boolean computed = kind == Kind.INCREMENT || kind == Kind.APPEND;
    return new Change(
        kind,
        row,
        inOrder(parts),
        durability(),
        computed && random.nextInt(3) == 0 ? range() : TimeRange.ALL,
        computed && random.nextInt(4) > 0);
  }

  /** The client sends a mutation's cells family by family. */
  private static List<Change.Part> inOrder(List<Change.Part> parts) {
    List<Change.Part> sorted = new ArrayList<>(parts);
    sorted.sort((one, other) -> one.family().compareTo(other.family()));
    return sorted;
  }

  /** Returns a kind; most often a put. */
  Kind kindOfChange() {
    int dice = random.nextInt(20);
    if (dice < 10 || !swarm.has(dice < 16 ? Feature.DELETES : Feature.COMPUTED)) {
      return Kind.PUT;
    }
    return dice < 16 ? Kind.DELETE : dice < 18 ? Kind.INCREMENT : Kind.APPEND;
  }

  private Change.Part part(Kind kind, long common, boolean timed, List<Tag> tags) {
    String family = familyName();
    return switch (kind) {
      case PUT -> {
        boolean own = swarm.has(Feature.TIMES) && random.nextInt(4) == 0;
        long time = own ? time() : common;
        yield new Change.Part(family, column(), time, CellType.PUT, value(), tags);
      }
      case DELETE -> {
        CellType type =
            List.of(
                    CellType.DELETE,
                    CellType.DELETE_COLUMN,
                    CellType.DELETE_FAMILY,
                    CellType.DELETE_FAMILY_VERSION)
                .get(random.nextInt(has.familyMarkers() ? 4 : 2));
        boolean ofFamily = type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
        long time = timed || random.nextInt(3) > 0 ? time() : Cell.LATEST_TIMESTAMP;
        if (type == CellType.DELETE_FAMILY_VERSION && time == Cell.LATEST_TIMESTAMP) {
          time = time();
        }
        yield new Change.Part(family, ofFamily ? "" : column(), time, type, "", List.of());
      }
      case INCREMENT ->
          new Change.Part(
              family,
              random.nextInt(6) == 0 ? column() : "n" + random.nextInt(2),
              Cell.LATEST_TIMESTAMP,
              CellType.PUT,
              number(),
              tags);
      case APPEND ->
          new Change.Part(
              family,
              column(),
              Cell.LATEST_TIMESTAMP,
              CellType.PUT,
              "+" + random.nextInt(10),
              tags);
    };
  }

  private List<Tag> tags() {
    return random.nextInt(10) > 0 || !swarm.has(Feature.TAGS)
        ? List.of()
        : List.of(Tag.ttl((random.nextBoolean() ? 1 : 6) * DAY + DAY / 2));
  }

  private Durability durability() {
    return switch (random.nextInt(10)) {
      case 0 -> Durability.SKIP_WAL;
      case 1 -> Durability.ASYNC_WAL;
      case 2 -> Durability.FSYNC_WAL;
      case 3 -> Durability.SYNC_WAL;
      default -> Durability.USE_DEFAULT;
    };
  }

  /** Returns a range of times. */
  TimeRange range() {
    long from = random.nextInt(3) == 0 ? 0 : timeBound();
    long to = random.nextInt(3) == 0 ? Long.MAX_VALUE : timeBound();
    return new TimeRange(Math.min(from, to), Math.max(from, to));
  }

  private long timeBound() {
    return random.nextInt(5) == 0 ? base : time();
  }

  private TimeRange anyRange() {
    return swarm.has(Feature.TIME_RANGES) && random.nextInt(4) == 0 ? range() : TimeRange.ALL;
  }

  private int limit() {
    return swarm.has(Feature.CELL_LIMITS) && random.nextInt(6) == 0 ? random.nextInt(4) : -1;
  }

  private int offset() {
    return swarm.has(Feature.CELL_LIMITS) && random.nextInt(6) == 0 ? random.nextInt(3) : 0;
  }

  /** Returns a query of one row. */
  Query ofRow(String row) {
    return new Query(
        row, true, row, true, false, families(), anyRange(), versions(), false, limit(), offset());
  }

  /** Returns a query of many rows. */
  Query ofRows(boolean raw, boolean prefix) {
    boolean reversed = !prefix && swarm.has(Feature.REVERSED) && random.nextInt(3) == 0;
    String common = prefix ? prefix() : "";
    String start = prefix ? common : random.nextInt(3) == 0 ? "" : bound();
    String stop = prefix ? after(common) : random.nextInt(3) == 0 ? "" : bound();
    return new Query(
        start,
        prefix || random.nextInt(3) > 0,
        stop,
        !prefix && random.nextInt(3) == 0,
        reversed,
        raw ? new TreeMap<>() : families(),
        anyRange(),
        versions(),
        raw,
        limit(),
        offset());
  }

  private String prefix() {
    String row = row();
    return row.substring(0, 1 + random.nextInt(row.length()));
  }

  /** Returns the first row after all that begin with {@code prefix}; empty if there is none. */
  private static String after(String prefix) {
    int length = prefix.length();
    while (length > 0 && prefix.charAt(length - 1) == 0xff) {
      length--;
    }
    return length == 0
        ? ""
        : prefix.substring(0, length - 1) + (char) (prefix.charAt(length - 1) + 1);
  }

  private int versions() {
    if (!swarm.has(Feature.VERSIONS_READ)) {
      return 1;
    }
    return switch (random.nextInt(3)) {
      case 0 -> 1;
      case 1 -> Integer.MAX_VALUE;
      default -> 1 + random.nextInt(4);
    };
  }

  private TreeMap<String, Selection> families() {
    TreeMap<String, Selection> families = new TreeMap<>();
    if (swarm.has(Feature.COLUMNS) && random.nextBoolean()) {
      for (FamilySchema family : schema.families()) {
        if (random.nextBoolean()) {
          // Of single columns HBase shows one expired version more than MIN_VERSIONS.
          boolean whole =
              has.isForBoth()
                  && family.minVersions() > 0
                  && family.timeToLiveMillis() != FamilySchema.FOREVER_MILLIS;
          families.put(Text.of(family.name()), whole ? Selection.ALL : selection());
        }
      }
    }
    return families;
  }

  private Selection selection() {
    TreeSet<String> columns = new TreeSet<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      columns.add(column());
    }
    return new Selection(columns, random.nextInt(4) == 0 ? Optional.of(range()) : Optional.empty());
  }
}
