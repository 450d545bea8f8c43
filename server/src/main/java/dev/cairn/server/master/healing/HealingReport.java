package dev.cairn.server.master.healing;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.store.MasterStore.Change;
import dev.cairn.server.master.store.MasterStore.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The problems that masters found in the catalog, with their repairs, kept in the master's store:
 * the latest {@value #ENTRIES_MAX}. Owned by the loop.
 */
public final class HealingReport {
  /** The most entries that are kept. */
  public static final int ENTRIES_MAX = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(HealingReport.class);
  private static final String PREFIX = "cairn/report/";

  private final MasterLoop loop;
  private final MasterStore store;
  private final Clock clock;
  private final String master;
  private final Completion stored;
  private final NavigableMap<Long, ReportEntry> entries = new TreeMap<>();

  /**
   * Creates an empty report.
   *
   * @param master the name of this master
   * @param stored receives the results of writes to {@code store}
   */
  public HealingReport(
      MasterLoop loop, MasterStore store, Clock clock, String master, Completion stored) {
    this.loop = loop;
    this.store = store;
    this.clock = clock;
    this.master = master;
    this.stored = stored;
  }

  /** Takes one entry of the store, if it is one of the report. */
  public void load(MasterStore.Entry entry) {
    String row = Bytes.utf8(entry.row());
    if (row.startsWith(PREFIX)) {
      try {
        long number = Long.parseLong(row.substring(PREFIX.length()));
        entries.put(number, ReportEntry.parse(Bytes.utf8(entry.value())));
      } catch (IllegalArgumentException e) {
        LOG.warn("The entry {} of the report cannot be read: {}", row, e.getMessage());
      }
    }
  }

  /**
   * Adds findings, and logs them. One that is in the report already and was not mended is not
   * added.
   */
  public void add(List<Finding> findings) {
    List<Change> changes = new ArrayList<>();
    for (Finding finding : findings) {
      if (isRepeated(finding)) {
        continue;
      }
      LOG.warn("{}: {}. {}", finding.subject(), finding.found(), finding.done());
      long number = entries.isEmpty() ? 1 : entries.lastKey() + 1;
      ReportEntry entry = new ReportEntry(clock.currentTimeMillis(), master, finding);
      entries.put(number, entry);
      changes.add(new Change(Section.STATE, row(number), Optional.of(Bytes.utf8(entry.json()))));
    }
    while (entries.size() > ENTRIES_MAX) {
      long oldest = entries.pollFirstEntry().getKey();
      changes.add(new Change(Section.STATE, row(oldest), Optional.empty()));
    }
    if (!changes.isEmpty()) {
      loop.perform(Lane.STORE, () -> store.apply(changes), stored);
    }
  }

  private boolean isRepeated(Finding finding) {
    return !finding.isMended()
        && entries.values().stream().anyMatch(entry -> entry.finding().equals(finding));
  }

  /** Returns the entries, the oldest first. */
  public List<ReportEntry> entries() {
    return List.copyOf(entries.values());
  }

  private static byte[] row(long number) {
    return Bytes.utf8(PREFIX + "%019d".formatted(number));
  }
}
