package dev.cairn.server.master.chore;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.store.MasterStore.Change;
import dev.cairn.server.master.store.MasterStore.Section;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ZooKeeperProtos.SwitchState;

/**
 * The switches that administrators turn; they survive a restart. Those that HBase keeps lie where
 * HBase has them, as the prefix {@code PBUF} and a message with one field, so that both see the
 * same. Owned by the loop.
 */
public final class Switches {
  private static final String OWN_PREFIX = "cairn/switch/";

  private final MasterLoop loop;
  private final MasterStore store;
  private final Map<Switch, Boolean> values = new EnumMap<>(Switch.class);

  /** One switch. */
  public enum Switch {
    BALANCER("load_balancer_on"),
    NORMALIZER("region_normalizer_on"),
    CATALOG_JANITOR(OWN_PREFIX + "CATALOG_JANITOR"),
    CLEANER_CHORE(OWN_PREFIX + "CLEANER_CHORE"),
    SPLIT("split_enabled"),
    MERGE("merge_enabled"),
    SNAPSHOT_CLEANUP("snapshot_cleanup_enabled");

    private final String row;

    Switch(String row) {
      this.row = row;
    }
  }

  /** Creates the switches, all of them on. */
  public Switches(MasterLoop loop, MasterStore store) {
    this.loop = loop;
    this.store = store;
    for (Switch one : Switch.values()) {
      values.put(one, true);
    }
  }

  /**
   * Takes one entry of the store, if it is a switch.
   *
   * @throws IOException naming the entry, if it is one and cannot be read
   */
  public void load(MasterStore.Entry entry) throws IOException {
    String row = Bytes.utf8(entry.row());
    for (Switch one : Switch.values()) {
      if (row.equals(one.row)) {
        String what = "The master's switch " + row;
        values.put(
            one, SwitchState.parseFrom(Messages.unprefixed(entry.value(), what)).getEnabled());
      }
    }
  }

  /** Tells whether a switch is on. */
  public boolean isOn(Switch one) {
    return values.get(one);
  }

  /** Turns a switch, and completes once that survives a kill. */
  public void set(Switch one, boolean on, Completion completion) {
    // HBase's messages for the different switches have different names and the same bytes.
    byte[] value = Messages.prefixed(SwitchState.newBuilder().setEnabled(on).build());
    List<Change> changes =
        List.of(new Change(Section.STATE, Bytes.utf8(one.row), Optional.of(value)));
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
