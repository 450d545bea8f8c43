package dev.cairn.server.master.store;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.ClusterLevel;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The cluster level of the masters that have led, in the master's store: a master whose version
 * does not understand what they wrote does not lead.
 */
public final class MasterLevel {
  private static final byte[] ROW = Bytes.utf8("cairn/level");

  private MasterLevel() {}

  /**
   * Checks that a master of level {@code own} may use the store. Changes nothing.
   *
   * @throws ClusterLevel.IncompatibleLevelException if it may not
   */
  public static void check(MasterStore store, ClusterLevel own) throws IOException {
    for (MasterStore.Entry entry : store.read(MasterStore.Section.STATE)) {
      if (Arrays.equals(entry.row(), ROW)) {
        own.check(
            "this master",
            "the last master that led",
            ClusterLevel.parse(Bytes.utf8(entry.value())));
      }
    }
  }

  /** Stores the level of the store's new owner. */
  public static void begin(MasterStore store, ClusterLevel own) throws IOException {
    store.apply(
        List.of(
            new MasterStore.Change(
                MasterStore.Section.STATE, ROW, Optional.of(Bytes.utf8(own.text())))));
  }
}
