package dev.cairn.interop.sidebyside;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.Mutation.Durability;
import dev.cairn.engine.region.Mutation.Kind;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.torture.model.Change;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.Query.Selection;
import dev.cairn.torture.model.Tag;
import dev.cairn.torture.model.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Draws changes and queries for one table. Rows, columns and times are few, so that they meet.
 *
 * @param has what may be in it
 * @param base the time at which the steps begin: what times the steps say are days away from it
 */
record RandomRequests(RandomGenerator random, TableSchema schema, TableKind has, long base) {
  private static final long DAY = 86_400_000;

  private static final List<String> ROWS =
      List.of("r", "r0", "r1", "r1\0", "r12", "s", "\u00ff\u00ff", "\u00ff\u00ff\u0001");

  String row() {
    return ROWS.get(random.nextInt(ROWS.size()));
  }

  String familyName() {
    List<FamilySchema> all = List.copyOf(schema.families());
    return Text.of(all.get(random.nextInt(all.size())).name());
  }

  String column() {
    return switch (random.nextInt(7)) {
      case 0 -> has.emptyQualifiers() ? "" : "q";
      case 1 -> "q\0";
      case 2 -> "n" + random.nextInt(2);
      default -> "q" + random.nextInt(3);
    };
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
    return random.nextInt(30) == 0 ? "long".repeat(1 + random.nextInt(400)) : shortValue();
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
    long common = timed || random.nextInt(3) > 0 ? time() : Cell.LATEST_TIMESTAMP;
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
    return dice < 10
        ? Kind.PUT
        : dice < 16 ? Kind.DELETE : dice < 18 ? Kind.INCREMENT : Kind.APPEND;
  }

  private Change.Part part(Kind kind, long common, boolean timed, List<Tag> tags) {
    String family = familyName();
    return switch (kind) {
      case PUT -> {
        long time = random.nextInt(4) == 0 ? time() : common;
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
    return random.nextInt(10) > 0
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
    long from = random.nextInt(3) == 0 ? 0 : bound();
    long to = random.nextInt(3) == 0 ? Long.MAX_VALUE : bound();
    return new TimeRange(Math.min(from, to), Math.max(from, to));
  }

  private long bound() {
    return random.nextInt(5) == 0 ? base : time();
  }

  /** Returns a query of one row. */
  Query ofRow(String row) {
    return new Query(
        row,
        true,
        row,
        true,
        false,
        families(),
        random.nextInt(4) == 0 ? range() : TimeRange.ALL,
        versions(),
        false,
        random.nextInt(6) == 0 ? random.nextInt(4) : -1,
        random.nextInt(6) == 0 ? random.nextInt(3) : 0);
  }

  /** Returns a query of many rows. */
  Query ofRows(boolean raw, boolean prefix) {
    boolean reversed = !prefix && random.nextInt(3) == 0;
    String start = prefix ? "r" : random.nextInt(3) == 0 ? "" : row();
    String stop = prefix ? "s" : random.nextInt(3) == 0 ? "" : row();
    return new Query(
        start,
        prefix || random.nextInt(3) > 0,
        stop,
        !prefix && random.nextInt(3) == 0,
        reversed,
        raw ? new TreeMap<>() : families(),
        random.nextInt(4) == 0 ? range() : TimeRange.ALL,
        versions(),
        raw,
        random.nextInt(6) == 0 ? random.nextInt(4) : -1,
        random.nextInt(6) == 0 ? random.nextInt(3) : 0);
  }

  private int versions() {
    return switch (random.nextInt(3)) {
      case 0 -> 1;
      case 1 -> Integer.MAX_VALUE;
      default -> 1 + random.nextInt(4);
    };
  }

  private TreeMap<String, Selection> families() {
    TreeMap<String, Selection> families = new TreeMap<>();
    if (random.nextBoolean()) {
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
