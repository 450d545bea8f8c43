package dev.cairn.server.master;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.master.MasterLoop.Completion;
import dev.cairn.server.master.MasterLoop.Lane;
import dev.cairn.server.master.MasterStore.Change;
import dev.cairn.server.master.MasterStore.Section;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The switches that administrators turn; they survive a restart. Owned by the loop. */
final class Switches {
  private static final String ROW_PREFIX = "switch/";

  private final MasterLoop loop;
  private final MasterStore store;
  private final Map<Switch, Boolean> values = new EnumMap<>(Switch.class);

  /** One switch. */
  enum Switch {
    BALANCER,
    NORMALIZER,
    CATALOG_JANITOR,
    CLEANER_CHORE,
    SPLIT,
    MERGE,
    SNAPSHOT_CLEANUP
  }

  Switches(MasterLoop loop, MasterStore store) {
    this.loop = loop;
    this.store = store;
    for (Switch one : Switch.values()) {
      values.put(one, true);
    }
  }

  /** Takes one entry of the store; returns whether it was a switch. */
  boolean load(MasterStore.Entry entry) {
    String row = Bytes.utf8(entry.row());
    if (!row.startsWith(ROW_PREFIX)) {
      return false;
    }
    for (Switch one : Switch.values()) {
      if (row.equals(ROW_PREFIX + one)) {
        values.put(one, entry.value()[0] != 0);
      }
    }
    return true;
  }

  boolean isOn(Switch one) {
    return values.get(one);
  }

  /** Turns a switch, and completes once that survives a kill. */
  void set(Switch one, boolean on, Completion completion) {
    byte[] value = {(byte) (on ? 1 : 0)};
    List<Change> changes =
        List.of(new Change(Section.STATE, Bytes.utf8(ROW_PREFIX + one), Optional.of(value)));
    loop.perform(
        Lane.STORE,
        () -> store.apply(changes),
        completion.then(
            () -> {
              values.put(one, on);
              completion.done();
            }));
  }
}
