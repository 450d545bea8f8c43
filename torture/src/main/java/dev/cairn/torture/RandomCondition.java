package dev.cairn.torture;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.Text;
import dev.cairn.torture.model.Version;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A condition on one column of a row.
 *
 * @param read reads the column
 * @param least what its value must not be below; empty: there must be no value
 */
record RandomCondition(Query read, Optional<String> least) {
  static RandomCondition of(RandomRequests requests, String row) {
    TreeMap<String, Query.Selection> families = new TreeMap<>();
    families.put(
        Text.of(requests.family().name()),
        new Query.Selection(new TreeSet<>(List.of(requests.column())), Optional.empty()));
    Query read = new Query(row, true, row, true, false, families, TimeRange.ALL, 1, false, -1, 0);
    return new RandomCondition(
        read,
        requests.random().nextInt(3) == 0
            ? Optional.empty()
            : Optional.of("" + requests.random().nextInt(10)));
  }

  /** Returns the condition that the engine understands. */
  Condition engine() {
    return new Condition(read.request(), found -> holds(found.map(Cell::value).map(Text::of)));
  }

  /** Returns the condition that the model understands. */
  Predicate<List<Version>> model() {
    return found -> holds(found.stream().findFirst().map(Version::value));
  }

  private boolean holds(Optional<String> value) {
    return least.isEmpty()
        ? value.isEmpty()
        : value.isPresent() && value.get().compareTo(least.get()) >= 0;
  }

  @Override
  public String toString() {
    return "if " + read + least.map(value -> " >= " + value).orElse(" finds nothing");
  }
}
