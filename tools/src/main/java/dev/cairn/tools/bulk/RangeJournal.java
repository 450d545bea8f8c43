package dev.cairn.tools.bulk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The journal of a job that works through the ranges of a table. The ranges are those of the
 * regions at the start of the job; they stay the same if regions split or merge. Thread-safe.
 */
final class RangeJournal {
  private static final String RANGE = "range.";
  private static final String STATE = "state.";
  private static final String COUNT = "ranges";

  private final Journal journal;
  private final List<RowRange> ranges;

  private RangeJournal(Journal journal, List<RowRange> ranges) {
    this.journal = journal;
    this.ranges = List.copyOf(ranges);
  }

  /** Takes the ranges from the journal, or those of the table's regions if it is new. */
  static RangeJournal of(Journal journal, TableSource table, RowRange rows) throws IOException {
    if (journal.get(COUNT).isPresent()) {
      List<RowRange> ranges = new ArrayList<>();
      int count = Integer.parseInt(journal.get(COUNT).get());
      for (int i = 0; i < count; i++) {
        ranges.add(RowRange.parse(journal.get(RANGE + i).orElseThrow()));
      }
      return new RangeJournal(journal, ranges);
    }
    List<RowRange> ranges = table.ranges(rows);
    Map<String, String> entries = new TreeMap<>();
    for (int i = 0; i < ranges.size(); i++) {
      entries.put(RANGE + i, ranges.get(i).text());
    }
    entries.put(COUNT, Integer.toString(ranges.size()));
    journal.putAll(entries);
    return new RangeJournal(journal, ranges);
  }

  List<RowRange> ranges() {
    return ranges;
  }

  RangeState state(int range) {
    return journal
        .get(STATE + range)
        .map(RangeState::parse)
        .orElseGet(() -> RangeState.begin(ranges.get(range)));
  }

  void put(int range, RangeState state) throws IOException {
    journal.put(STATE + range, state.text());
  }

  /** Returns the ranges that are not done. */
  List<Integer> open() {
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      if (!state(i).isDone()) {
        open.add(i);
      }
    }
    return open;
  }

  /** Returns how many rows and files all runs have done. */
  RangeState total() {
    int files = 0;
    long rows = 0;
    for (int i = 0; i < ranges.size(); i++) {
      files += state(i).files();
      rows += state(i).rows();
    }
    return new RangeState(files, rows, Optional.empty());
  }

  void delete() throws IOException {
    journal.delete();
  }
}
