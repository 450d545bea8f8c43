package dev.cairn.torture.model;

import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The expected contents of one table: it learns every change and its outcome, and checks every
 * answer. Methods that take an answer throw {@link Difference} if nothing explains it. Times are
 * milliseconds since 1970. Not thread-safe.
 */
public final class TableModel {
  private TableSchema schema;
  private final TreeMap<String, RowModel> rows = new TreeMap<>();
  private long writes;
  private long comparisons;

  /** Creates an empty table. */
  public TableModel(TableSchema schema) {
    this.schema = schema;
  }

  /** Returns the table's schema. */
  public TableSchema schema() {
    return schema;
  }

  /** Takes another schema, with the same families. */
  public void alter(TableSchema other) {
    schema = other;
  }

  /** Returns how many answers were compared, row by row. */
  public long comparisons() {
    return comparisons;
  }

  /** The outcome of changes that were applied together. */
  public sealed interface Outcome {
    /**
     * They were acknowledged.
     *
     * @param result the cells that increments and appends returned, in order
     */
    record Acknowledged(List<Version> result) implements Outcome {}

    /** They were refused because they are impossible; nothing of them was done. */
    record Impossible() implements Outcome {}

    /** They failed: done or not, row by row. */
    record Unknown() implements Outcome {}
  }

  /** Returns values that a column of a row may have or have had, in ascending order. */
  public List<String> values(String row, String family, String qualifier) {
    RowModel model = rows.get(row);
    return model == null ? List.of() : model.values(family, qualifier);
  }

  /** Takes changes that were applied together, at one time, and their outcome. */
  public void write(List<Change> changes, Outcome outcome, long now) {
    write(changes, outcome, now, List.of(new BatchTimes(now).together(changes)));
  }

  /**
   * Takes changes that were applied together, and their outcome. Only changes of one row may have
   * results.
   *
   * @param times the possible times of the changes: of each change one, by identity
   */
  public void write(
      List<Change> changes, Outcome outcome, long now, List<Map<Change, Long>> times) {
    writes++;
    Map<String, List<Change>> byRow = new TreeMap<>();
    changes.forEach(c -> byRow.computeIfAbsent(c.row(), row -> new ArrayList<>()).add(c));
    Fate logged = fateOfLogged(changes);
    byRow.forEach(
        (row, own) ->
            apply(
                row,
                own,
                past -> true,
                outcome,
                past ->
                    times.stream()
                        .flatMap(each -> resolve(own, past, logged, now, each::get).stream())
                        .toList()));
  }

  /**
   * Takes changes of one row that depend on its present cells.
   *
   * @param condition decides, by the cells that {@code read} shows, whether the changes are made
   * @param met what the database said; empty if it failed
   */
  public void checkAndWrite(
      Query read,
      Predicate<List<Version>> condition,
      List<Change> changes,
      Optional<Boolean> met,
      Outcome outcome,
      long now) {
    writes++;
    String row = read.start();
    RowModel model = row(row);
    Predicate<History> holds = past -> condition.test(past.read(schema, read, now));
    if (met.isPresent() && !met.get()) {
      comparisons++;
      model.decide();
      if (!model.narrow(holds.negate())) {
        throw new Difference(
            "The condition on " + read + " was said not to hold, but does:\n" + model);
      }
      return;
    }
    Fate logged = fateOfLogged(changes);
    apply(
        row,
        changes,
        holds,
        outcome,
        past -> {
          List<Version> seen = past.read(schema, read, now);
          long newest = seen.isEmpty() ? 0 : seen.get(0).timestamp();
          return resolve(changes, past, logged, now, change -> timeOf(change, now, newest)).stream()
              .toList();
        });
  }

  /** A clock that was set back does not put a put after the cell that it is based on. */
  static long timeOf(Change change, long now, long seen) {
    return change.kind() == Mutation.Kind.PUT ? Math.max(now, seen) : now;
  }

  private void apply(
      String row,
      List<Change> changes,
      Predicate<History> when,
      Outcome outcome,
      Function<History, List<Written>> resolved) {
    RowModel model = row(row);
    String before = model.toString();
    boolean explained;
    if (outcome instanceof Outcome.Acknowledged done) {
      // Whatever failed before has been decided: changes become visible in order.
      model.decide();
      explained =
          model.branch(
              past ->
                  Stream.of(past)
                      .filter(when)
                      .flatMap(holding -> resolved.apply(holding).stream())
                      .filter(written -> RowModel.looksLike(written.result, done.result()))
                      .map(written -> past.with(written.cells))
                      .toList());
    } else if (outcome instanceof Outcome.Impossible) {
      // Unlike an acknowledgement it decides nothing: in a batch whose first write is undecided, a
      // later one may be refused at once, and the first may be seen much later.
      explained = model.narrowUnsafe(past -> when.test(past) && resolved.apply(past).isEmpty());
    } else {
      explained =
          model.branch(
              past -> {
                List<Written> made = when.test(past) ? resolved.apply(past) : List.of();
                return made.isEmpty()
                    ? List.of(past)
                    : made.stream().map(written -> past.with(written.cells)).toList();
              });
    }
    if (!explained) {
      throw new Difference(
          changes + " came to " + outcome + ", which nothing explains:\n" + before);
    }
    model.markNewest(writes, outcome instanceof Outcome.Unknown);
  }

  private record Written(List<Version> cells, List<Version> result) {}

  /** All changes of a write see the row as it was before. */
  private Optional<Written> resolve(
      List<Change> changes, History past, Fate logged, long now, ToLongFunction<Change> times) {
    List<Version> cells = new ArrayList<>();
    List<Version> result = new ArrayList<>();
    for (Change change : changes) {
      Resolver resolver = new Resolver(schema, writes, logged, now, times.applyAsLong(change));
      Optional<List<Version>> resolved = resolver.resolve(change, past);
      if (resolved.isEmpty()) {
        return Optional.empty();
      }
      cells.addAll(resolved.get());
      if (change.resultWanted()) {
        result.addAll(resolved.get());
      }
    }
    result.sort(Version.ORDER);
    return Optional.of(new Written(cells, result));
  }

  /**
   * Returns the fate of changes that are logged together: the strictest durability among them
   * decides.
   */
  private static Fate fateOfLogged(List<Change> changes) {
    boolean waits =
        changes.stream().anyMatch(c -> c.durability().compareTo(Durability.ASYNC_WAL) > 0);
    return waits ? Fate.SAFE : Fate.UNSYNCED;
  }

  /** The log is synced: writes without waiters are safe. */
  public void synced() {
    rows.values().forEach(RowModel::synced);
  }

  /**
   * Records that the memory of a family, for rows from {@code start} to before {@code end}, was
   * flushed to files.
   */
  public void filed(String start, String end, Predicate<String> families) {
    between(start, end).values().forEach(row -> row.filed(families));
  }

  /**
   * Like {@link #filed} for all families, for the flush when a region closes or is opened after a
   * crash. An interrupted compaction has not seen these cells, but its result may still take
   * effect. So until {@link #settle}, its result is checked without them, too.
   */
  public void filedLate(String start, String end) {
    filedLate(start, end, family -> true);
  }

  /** Like {@link #filed}, for a flush that a compaction which runs does not see. */
  public void filedLate(String start, String end, Predicate<String> families) {
    between(start, end).values().forEach(row -> row.filedLate(families));
  }

  /** Everything that failed and left open what happened has been decided by now. */
  public void decided() {
    rows.values().forEach(RowModel::decide);
  }

  /** The process is gone, with its unsafe writes. */
  public void crashed() {
    rows.values().forEach(RowModel::crash);
  }

  /**
   * Checks a scan's answer, and narrows the possible pasts by it.
   *
   * @param found the rows in the order in which they came
   * @param end the last row that the scan got to; empty if it came to its end
   */
  public void check(Query query, Map<String, List<Version>> found, Optional<String> end, long now) {
    for (String row : rowsOf(query, found, end)) {
      List<Version> cells = found.getOrDefault(row, List.of());
      comparisons++;
      RowModel model = row(row);
      boolean explained =
          model.narrowSeen(
              query.raw()
                  ? past -> !past.explaining(cells, schema, now, family -> false).isEmpty()
                  : past -> RowModel.looksLike(past.read(schema, query, now), cells));
      if (!explained) {
        throw new Difference(
            "%s at %d: row %s has%n  %s%nbut should have%n  %s%nas there are %s"
                .formatted(query, now, Text.show(row), cells, model.answers(query, now), model));
      }
    }
  }

  private TreeSet<String> rowsOf(
      Query query, Map<String, List<Version>> found, Optional<String> end) {
    TreeSet<String> all = new TreeSet<>(found.keySet());
    for (String row : rows.keySet()) {
      boolean reached =
          end.isEmpty()
              || (query.reversed() ? row.compareTo(end.get()) >= 0 : row.compareTo(end.get()) <= 0);
      if (query.contains(row) && reached) {
        all.add(row);
      }
    }
    return all;
  }

  /**
   * Compares all physical cells with the possible ones, and continues with the physical ones: a
   * major compaction, or a crash in one, has removed cells for good.
   *
   * @param found what a raw scan of the rows from {@code start} to before {@code end} shows
   * @param compacted the families from which a major compaction may have removed cells
   */
  public void settle(
      String start,
      String end,
      Map<String, List<Version>> found,
      Predicate<String> compacted,
      long now) {
    TreeSet<String> all = new TreeSet<>(found.keySet());
    all.addAll(between(start, end).keySet());
    for (String row : all) {
      List<Version> cells = found.getOrDefault(row, List.of());
      comparisons++;
      RowModel model = row(row);
      if (!model.settle(past -> past.explaining(cells, schema, now, compacted))) {
        throw new Difference(
            "Row %s at %d: there is%n  %s%nbut there should be%n  %s%nas there are %s"
                .formatted(
                    Text.show(row), now, cells, model.answers(Query.EVERYTHING, now), model));
      }
    }
  }

  /** Returns how many pasts the most uncertain row may have, about. */
  public int uncertainty() {
    return rows.values().stream().mapToInt(RowModel::uncertainty).max().orElse(0);
  }

  /** Returns the possible states of a row, for people. */
  public String describe(String row) {
    return row(row).toString();
  }

  private SortedMap<String, RowModel> between(String start, String end) {
    return end.isEmpty() ? rows.tailMap(start) : rows.subMap(start, end);
  }

  private RowModel row(String row) {
    return rows.computeIfAbsent(row, any -> new RowModel(schema));
  }
}
