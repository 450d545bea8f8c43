package dev.cairn.server.master.procedure;

import dev.cairn.server.master.store.MasterStore;
import java.io.IOException;
import java.util.List;

/** Writes the records of procedures. */
@FunctionalInterface
public interface RecordStore {
  /**
   * Makes all changes or none, and returns once they survive a kill. One call at a time.
   *
   * @throws IOException as {@link MasterStore#apply}
   */
  void apply(List<MasterStore.Change> changes) throws IOException;
}
