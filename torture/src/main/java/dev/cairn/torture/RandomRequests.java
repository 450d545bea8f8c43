package dev.cairn.torture;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.ReadBudget;
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
import dev.cairn.torture.model.ValueFilter;
import dev.cairn.torture.model.ValueFilter.Judges;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.CompareOperator;

/**
 * Draws changes and queries for one table.
 *
 * @param random the source of randomness
 * @param schema the table
 * @param swarm the features of the run
 * @param step the number of the step, which makes most values unlike those of other steps
 * @param now the time, milliseconds since 1970
 */
record RandomRequests(
    RandomGenerator random, TableSchema schema, Swarm swarm, long step, long now) {
  private static final int BATCH_MAX = 6;
  private static final int BORDER_BYTES_MAX = 1000;
  private static final List<CompareOperator> OPERATORS =
      List.of(
          CompareOperator.EQUAL,
          CompareOperator.EQUAL,
          CompareOperator.EQUAL,
          CompareOperator.LESS,
          CompareOperator.LESS_OR_EQUAL,
          CompareOperator.NOT_EQUAL,
          CompareOperator.GREATER_OR_EQUAL,
          CompareOperator.GREATER);

  String row() {
    return Text.of(swarm.bytes().row(random));
  }

  /** Returns where a region may begin. */
  String border() {
    String row = Text.of(swarm.bytes().bound(random));
    return row.substring(0, Math.min(row.length(), BORDER_BYTES_MAX));
  }

  /** Returns how many changes to make at once: often many if there are many rows. */
  int batch() {
    return 1
        + random.nextInt(
            random.nextInt(4) == 0 ? Math.max(BATCH_MAX, swarm.bytes().rows() / 8) : 2);
  }

  Change change(String row) {
    int dice = random.nextInt(20);
    Kind drawn =
        dice < 11 ? Kind.PUT : dice < 16 ? Kind.DELETE : dice < 18 ? Kind.INCREMENT : Kind.APPEND;
    Kind kind =
        swarm.has(drawn == Kind.DELETE ? Feature.DELETES : Feature.COMPUTED) ? drawn : Kind.PUT;
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

  /** Most values are unlike those of all other steps; some are empty. */
  private String value(int number) {
    if (swarm.has(Feature.INDEXES) && random.nextInt(3) > 0) {
      return frequent();
    }
    return random.nextInt(12) == 0
        ? ""
        : Text.of(swarm.bytes().value(random, Text.bytes(step + "." + number + "v")));
  }

  /** Returns a value that other cells may have as well. Some are longer than an index stores. */
  private String frequent() {
    return switch (random.nextInt(8)) {
      case 0 -> "";
      case 1 -> "\u00ff".repeat(1 + random.nextInt(2));
      case 2 -> "l".repeat(1022 + random.nextInt(4)) + random.nextInt(2);
      case 3 -> "v\0";
      default -> "v" + random.nextInt(8);
    };
  }

  private List<Tag> tags(FamilySchema family) {
    List<Tag> tags = new ArrayList<>();
    if (!swarm.has(Feature.TAGS)) {
      return tags;
    }
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
    if (!swarm.has(Feature.TIMES)) {
      return Cell.LATEST_TIMESTAMP;
    }
    return switch (random.nextInt(6)) {
      case 0 -> now / 1000 * 1000 - random.nextInt(8) * 1000L;
      case 1 -> now / 1000 * 1000 + random.nextInt(3) * 1000L;
      default -> Cell.LATEST_TIMESTAMP;
    };
  }

  private TimeRange range() {
    if (random.nextInt(4) > 0 || !swarm.has(Feature.TIME_RANGES)) {
      return TimeRange.ALL;
    }
    long from = random.nextInt(3) == 0 ? 0 : now - random.nextInt(20_000);
    long to =
        random.nextInt(3) == 0 ? Long.MAX_VALUE : Math.max(from, now) + random.nextInt(-3000, 3000);
    return new TimeRange(from, Math.max(from, to));
  }

  Query query() {
    boolean raw = swarm.has(Feature.RAW) && random.nextInt(8) == 0;
    TreeMap<String, Selection> families = new TreeMap<>();
    if (!raw && swarm.has(Feature.COLUMNS) && random.nextInt(3) == 0) {
      for (FamilySchema family : schema.families()) {
        if (random.nextBoolean()) {
          families.put(Text.of(family.name()), selection());
        }
      }
    }
    boolean one = random.nextInt(3) == 0;
    String row = one ? row() : bound();
    boolean reversed = !one && swarm.has(Feature.REVERSED) && random.nextInt(3) == 0;
    boolean cellLimits = !raw && swarm.has(Feature.CELL_LIMITS);
    String start = one ? row : random.nextInt(3) == 0 ? "" : row;
    String stop = one ? row : random.nextInt(3) == 0 ? "" : stop(row, reversed);
    boolean alike = start.equals(stop);
    boolean filtered = !raw && swarm.has(Feature.INDEXES) && random.nextInt(3) > 0;
    Query query =
        query(one || alike, start, stop, reversed, families, raw, cellLimits && !filtered);
    return filtered ? query.filtered(Optional.of(filter())) : query;
  }

  private Query query(
      boolean alike,
      String start,
      String stop,
      boolean reversed,
      TreeMap<String, Selection> families,
      boolean raw,
      boolean cellLimits) {
    return new Query(
        start,
        alike || random.nextBoolean(),
        stop,
        alike || random.nextInt(3) == 0,
        reversed,
        families,
        raw ? TimeRange.ALL : range(),
        raw ? Integer.MAX_VALUE : versions(),
        raw,
        cellLimits && random.nextInt(5) == 0 ? random.nextInt(4) : -1,
        cellLimits && random.nextInt(5) == 0 ? random.nextInt(3) : 0);
  }

  /** Returns a filter, often on indexed columns. */
  private ValueFilter filter() {
    Judges judges = Judges.values()[random.nextInt(Judges.values().length)];
    List<ValueFilter.Test> tests = new ArrayList<>();
    int count = judges == Judges.CELLS ? 1 : 1 + random.nextInt(3);
    List<TableIndexes.Column> indexed = indexed();
    for (int i = 0; i < count; i++) {
      boolean any = indexed.isEmpty() || random.nextInt(5) == 0;
      TableIndexes.Column column =
          any
              ? new TableIndexes.Column(family().name(), Text.bytes(column()))
              : indexed.get(random.nextInt(indexed.size()));
      tests.add(
          new ValueFilter.Test(
              Text.of(column.family()),
              Text.of(column.qualifier()),
              OPERATORS.get(random.nextInt(OPERATORS.size())),
              random.nextInt(3) == 0,
              wanted(),
              random.nextInt(4) > 0,
              random.nextInt(6) == 0));
    }
    return new ValueFilter(tests, judges, IndexHint.AUTO);
  }

  private List<TableIndexes.Column> indexed() {
    return schema.indexes().all().stream().flatMap(index -> index.columns().stream()).toList();
  }

  private String wanted() {
    return switch (random.nextInt(6)) {
      case 0 -> Text.of(Bytes.ofLong(random.nextInt(-5, 1000)));
      case 1 -> BulkLoad.mark(1 + random.nextLong(Math.max(1, step)));
      case 2 -> "" + random.nextLong(Math.max(1, step));
      default -> frequent();
    };
  }

  private int versions() {
    return !swarm.has(Feature.VERSIONS_READ) || random.nextBoolean() ? 1 : 1 + random.nextInt(5);
  }

  private String bound() {
    return Text.of(swarm.bytes().bound(random));
  }

  /**
   * Returns a random end for a scan from {@code row}: anywhere, or after the rows with the same
   * prefix.
   */
  private String stop(String row, boolean reversed) {
    if (reversed || random.nextBoolean()) {
      return bound();
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
   * Returns the budgets of the calls of one read: one for all calls, or one for each. A read with a
   * filter has no limits of cells.
   */
  Supplier<ReadBudget> budgets(Query query) {
    boolean parts = swarm.has(Feature.PARTS_OF_ROWS) && query.filter().isEmpty();
    ReadBudget one = budget(parts);
    return random.nextBoolean() ? () -> one : () -> budget(parts);
  }

  private ReadBudget budget(boolean parts) {
    return new ReadBudget(
        rows(),
        parts && random.nextInt(4) == 0 ? 1 + random.nextInt(4) : -1,
        random.nextInt(4) == 0 ? 1 + random.nextInt(500) : -1,
        Long.MAX_VALUE,
        parts && random.nextBoolean(),
        random.nextBoolean() ? ReadBudget.Waiting.NEVER : ReadBudget.Waiting.FOR_DISK);
  }

  private int rows() {
    return switch (random.nextInt(4)) {
      case 0 -> Integer.MAX_VALUE;
      case 1 -> 1 + random.nextInt(1000);
      default -> 1 + random.nextInt(5);
    };
  }

  FamilySchema family() {
    List<FamilySchema> all = List.copyOf(schema.families());
    return all.get(random.nextInt(all.size()));
  }

  /** Returns a column, half of the time one of which there is an index in some family. */
  String column() {
    if (swarm.has(Feature.INDEXES) && random.nextBoolean()) {
      List<TableIndexes.Column> indexed = indexed();
      if (!indexed.isEmpty()) {
        return Text.of(indexed.get(random.nextInt(indexed.size())).qualifier());
      }
    }
    return swarm.has(Feature.COMPUTED) && random.nextInt(6) == 0
        ? "n" + random.nextInt(2)
        : Text.of(swarm.bytes().qualifier(random));
  }
}
