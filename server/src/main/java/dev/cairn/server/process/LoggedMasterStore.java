package dev.cairn.server.process;

import dev.cairn.engine.wal.Wal;
import dev.cairn.server.master.store.MasterStore;
import java.io.IOException;
import java.util.List;

/** The master's store together with its log, which is closed after it. */
record LoggedMasterStore(MasterStore store, Wal log) implements MasterStore {
  @Override
  public void apply(List<Change> changes) throws IOException {
    store.apply(changes);
  }

  @Override
  public void flush() throws IOException {
    store.flush();
  }

  @Override
  public List<Entry> read(Section section) throws IOException {
    return store.read(section);
  }

  @Override
  public void close() throws IOException {
    try {
      store.close();
    } finally {
      log.close();
    }
  }
}
