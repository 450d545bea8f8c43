package dev.cairn.tools.bulk;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/** Advances a meter by the positions of a range's rows. For one thread. */
final class RangeProgress {
  /** The meter's units for one range. */
  static final long UNITS = 1000;

  private final Table table;
  private final RowRange range;
  private final Meter meter;
  private Optional<KeyPosition> position = Optional.empty();
  private long units;

  RangeProgress(Table table, RowRange range, Meter meter) {
    this.table = table;
    this.range = range;
    this.meter = meter;
  }

  /** Adds rows that are done; {@code last} is the last one. */
  void add(long rows, byte[] last) throws IOException {
    if (position.isEmpty()) {
      position = Optional.of(new KeyPosition(last, end()));
    }
    meter.add(rows);
    advance((long) (UNITS * position.get().of(last)));
  }

  /** Adds the last rows of the range. */
  void end(long rows) {
    meter.add(rows);
    advance(UNITS);
  }

  /** Returns the end of the range, or its last row if that is the end of the table. */
  private byte[] end() throws IOException {
    if (range.stop().length > 0) {
      return range.stop();
    }
    Scan backwards =
        new Scan()
            .setReversed(true)
            .setLimit(1)
            .setCacheBlocks(false)
            .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
    try (ResultScanner end = table.getScanner(backwards)) {
      Result row = end.next();
      return row == null ? range.stop() : row.getRow();
    }
  }

  private void advance(long to) {
    long moved = Math.max(units, to);
    meter.advance(moved - units);
    units = moved;
  }
}
