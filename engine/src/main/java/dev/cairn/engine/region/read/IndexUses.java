package dev.cairn.engine.region.read;

import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the scans of a region that read only the rows of indexes, by column. Thread-safe. */
final class IndexUses {
  private final Map<TableIndexes.Column, LongAdder> byColumn = new HashMap<>(); // fixed

  IndexUses(List<Store> stores) {
    for (Store store : stores) {
      IndexedColumns columns = store.indexed();
      for (int i = 0; i < columns.count(); i++) {
        byColumn.put(
            new TableIndexes.Column(store.family().name(), columns.qualifier(i)), new LongAdder());
      }
    }
  }

  /** Counts a scan as a use of all indexed columns that its condition names. */
  void count(RowCondition condition) {
    if (condition instanceof RowCondition.Column column) {
      LongAdder uses = byColumn.get(new TableIndexes.Column(column.family(), column.qualifier()));
      if (uses != null) {
        uses.increment();
      }
    } else if (condition instanceof RowCondition.All all) {
      all.parts().forEach(this::count);
    } else if (condition instanceof RowCondition.AnyOf any) {
      any.parts().forEach(this::count);
    }
  }

  /** Returns the scans that have used a column of an index; one of two columns counts twice. */
  long of(TableIndexes.Index index) {
    return index.columns().stream()
        .map(byColumn::get)
        .filter(uses -> uses != null)
        .mapToLong(LongAdder::sum)
        .sum();
  }
}
