package dev.cairn.torture;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.Mutation.Durability;
import dev.cairn.engine.region.Mutation.Kind;
import dev.cairn.engine.scan.ReadBudget;
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
 * @param random decides
 * @param schema the table
 * @param step the number of the step: values are unlike those of other steps
 * @param now the time, milliseconds since 1970
 */
record RandomRequests(RandomGenerator random, TableSchema schema, long step, long now) {
  private static final int ROWS = 30;

  /** Rows are prefixes of one another, long, or not text at all. */
  String row() {
    int number = random.nextInt(ROWS);
    return switch (number % 6) {
      case 0 -> "row" + number / 6;
      case 1 -> "row" + number / 6 + "\0";
      case 2 -> "\u00ff\u00ff" + (char) (number / 6);
      case 3 -> "r".repeat(1 + number * 3);
      default -> "m%02d".formatted(number);
    };
  }

  Change change(String row) {
    int dice = random.nextInt(20);
    Kind kind =
        dice < 11 ? Kind.PUT : dice < 16 ? Kind.DELETE : dice < 18 ? Kind.INCREMENT : Kind.APPEND;
    List<Change.Part> parts = new ArrayList<>();
    if (kind != Kind.DELETE || random.nextInt(5) > 0) {
      TreeSet<String> columns = new TreeSet<>();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        Change.Part part = part(kind, i);
        boolean again = !columns.add(part.family() + ":" + part.qualifier());
        if (!again || kind == Kind.PUT || kind == Kind.DELETE) {
          parts.add(part);
        }
      }
    }
    boolean computed = kind.isComputed();
    return new Change(kind, row, parts, durability(), range(), computed && random.nextInt(4) > 0);
  }

  private Change.Part part(Kind kind, int number) {
    FamilySchema family = family();
    String name = Text.of(family.name());
    return switch (kind) {
      case PUT ->
          new Change.Part(name, column(), time(), CellType.PUT, value(number), tags(family));
      case DELETE -> {
        CellType type =
            List.of(
                    CellType.DELETE,
                    CellType.DELETE_COLUMN,
                    CellType.DELETE_FAMILY,
                    CellType.DELETE_FAMILY_VERSION)
                .get(random.nextInt(4));
        boolean ofFamily = type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
        yield new Change.Part(name, ofFamily ? "" : column(), time(), type, "", List.of());
      }
      case INCREMENT ->
          new Change.Part(
              name,
              "n" + random.nextInt(2),
              time(),
              CellType.PUT,
              Text.of(Bytes.ofLong(random.nextInt(-5, 1000))),
              tags(family));
      case APPEND ->
          new Change.Part(
              name, column(), time(), CellType.PUT, "+" + step % 100 + number, tags(family));
    };
  }

  /** What is told apart by its number is never equal to what another step writes. */
  private String value(int number) {
    String unique = step + "." + number;
    return random.nextInt(12) == 0
        ? unique + "v".repeat(random.nextInt(3000))
        : unique + "v".repeat(random.nextInt(20));
  }

  private List<Tag> tags(FamilySchema family) {
    List<Tag> tags = new ArrayList<>();
    if (random.nextInt(12) == 0) {
      tags.add(new Tag(65, "tag" + step));
    }
    // With NEW_VERSION_BEHAVIOR, what a cell hid that has expired since comes back or does not,
    // depending on whether a major compaction ran in between.
    if (random.nextInt(12) == 0 && !family.newVersionBehavior()) {
      tags.add(Tag.ttl(random.nextInt(20_000)));
    }
    return tags;
  }

  private Durability durability() {
    Durability byTable =
        schema.attribute("DURABILITY").map(Durability::valueOf).orElse(Durability.USE_DEFAULT);
    Durability durability =
        switch (random.nextInt(16)) {
          case 0 -> Durability.SKIP_WAL;
          case 1 -> Durability.ASYNC_WAL;
          case 2 -> Durability.FSYNC_WAL;
          case 3, 4, 5, 6, 7 -> byTable;
          default -> Durability.SYNC_WAL;
        };
    return durability == Durability.USE_DEFAULT ? Durability.SYNC_WAL : durability;
  }

  /** Returns a timestamp: most often the server's, else one that other cells may have as well. */
  private long time() {
    return switch (random.nextInt(6)) {
      case 0 -> now / 1000 * 1000 - random.nextInt(8) * 1000L;
      case 1 -> now / 1000 * 1000 + random.nextInt(3) * 1000L;
      default -> Cell.LATEST_TIMESTAMP;
    };
  }

  private TimeRange range() {
    if (random.nextInt(4) > 0) {
      return TimeRange.ALL;
    }
    long from = random.nextInt(3) == 0 ? 0 : now - random.nextInt(20_000);
    long to =
        random.nextInt(3) == 0 ? Long.MAX_VALUE : Math.max(from, now) + random.nextInt(-3000, 3000);
    return new TimeRange(from, Math.max(from, to));
  }

  Query query() {
    boolean raw = random.nextInt(8) == 0;
    TreeMap<String, Selection> families = new TreeMap<>();
    if (!raw && random.nextInt(3) == 0) {
      for (FamilySchema family : schema.families()) {
        if (random.nextBoolean()) {
          families.put(Text.of(family.name()), selection());
        }
      }
    }
    boolean one = random.nextInt(3) == 0;
    String row = row();
    boolean reversed = !one && random.nextInt(3) == 0;
    return new Query(
        one ? row : random.nextInt(3) == 0 ? "" : row,
        one || random.nextBoolean(),
        one ? row : random.nextInt(3) == 0 ? "" : stop(row, reversed),
        one || random.nextInt(3) == 0,
        reversed,
        families,
        raw ? TimeRange.ALL : range(),
        raw ? Integer.MAX_VALUE : random.nextBoolean() ? 1 : 1 + random.nextInt(5),
        raw,
        raw || random.nextInt(5) > 0 ? -1 : random.nextInt(4),
        raw || random.nextInt(5) > 0 ? 0 : random.nextInt(3));
  }

  /** Returns where a scan from {@code row} may end: anywhere, or behind what begins like it. */
  private String stop(String row, boolean reversed) {
    if (reversed || random.nextBoolean()) {
      return row();
    }
    String prefix = row.substring(0, 1 + random.nextInt(row.length()));
    char last = prefix.charAt(prefix.length() - 1);
    return last == 0xff ? "" : prefix.substring(0, prefix.length() - 1) + (char) (last + 1);
  }

  private Selection selection() {
    TreeSet<String> columns = new TreeSet<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      columns.add(random.nextInt(4) == 0 ? "n" + random.nextInt(2) : column());
    }
    return new Selection(columns, random.nextInt(4) == 0 ? Optional.of(range()) : Optional.empty());
  }

  /**
   * Returns the budget of a single call of a read. The budget does not change the sum of all
   * answers.
   */
  ReadBudget budget() {
    if (random.nextInt(4) == 0) {
      return ReadBudget.WHOLE_ROWS;
    }
    return new ReadBudget(
        Integer.MAX_VALUE,
        random.nextInt(4) == 0 ? 1 + random.nextInt(4) : -1,
        random.nextInt(4) == 0 ? 1 + random.nextInt(500) : -1,
        Long.MAX_VALUE,
        random.nextBoolean(),
        random.nextBoolean() ? ReadBudget.Waiting.NEVER : ReadBudget.Waiting.FOR_DISK);
  }

  FamilySchema family() {
    List<FamilySchema> all = List.copyOf(schema.families());
    return all.get(random.nextInt(all.size()));
  }

  String column() {
    return switch (random.nextInt(6)) {
      case 0 -> "";
      case 1 -> "q\0";
      case 2 -> "n" + random.nextInt(2);
      default -> "q" + random.nextInt(3);
    };
  }
}
