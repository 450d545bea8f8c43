package dev.cairn.server.master;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.master.store.MasterStore;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A master's store in memory, which outlives the master. */
public final class SimulatedStore implements MasterStore {
  private final Map<Section, Map<String, byte[]>> sections = new EnumMap<>(Section.class);

  /** Returns what a section has, by row, to look at or to change. */
  public Map<String, byte[]> of(Section section) {
    return sections.computeIfAbsent(section, empty -> new TreeMap<>());
  }

  @Override
  public void apply(List<Change> changes) {
    for (Change change : changes) {
      String key = Bytes.toStringBinary(change.row());
      if (change.value().isPresent()) {
        of(change.section()).put(key, change.value().get());
      } else {
        of(change.section()).remove(key);
      }
    }
  }

  @Override
  public void flush() {}

  @Override
  public List<Entry> read(Section section) {
    List<Entry> entries = new ArrayList<>();
    of(section).forEach((row, value) -> entries.add(new Entry(Bytes.utf8(row), value)));
    return entries;
  }

  @Override
  public void close() {}
}
