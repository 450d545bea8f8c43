package dev.cairn.server.process;

import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.server.master.MasterContext;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.store.RegionMasterStore;
import java.io.IOException;
import java.util.List;

/**
 * Opens the master's store: recovers the logs that earlier masters have left, begins a log, and
 * opens the region. An earlier owner of the region, with a lower epoch, can publish no file there
 * after that.
 */
public final class MasterStoreOpening implements MasterContext.StoreOpener {
  private static final String LOGS = Storage.join(RegionMasterStore.DIRECTORY, "WALs");
  private static final String LOG_ARCHIVE = Storage.join(RegionMasterStore.DIRECTORY, "oldWALs");

  /** The directory of logs to apply. HBase's master leaves it if it is killed while it starts. */
  private static final String FOREIGN_RECOVERED_LOGS = "recovered.wals";

  private final Storage storage;
  private final LogSplitter splitter;
  private final LogOpener log;
  private final Environments contexts;

  /** Begins the log of the store. */
  @FunctionalInterface
  public interface LogOpener {
    /**
     * Begins the log of this master.
     *
     * @param logs the directory of the logs of all masters, one directory for each
     * @param archive the directory of archived logs
     */
    Wal begin(String logs, String archive) throws IOException;
  }

  /** Creates the context of the region. */
  @FunctionalInterface
  public interface Environments {
    /**
     * Returns a context.
     *
     * @param data the directory of the region's table
     * @param log the log that the region writes
     */
    RegionContext regionContext(String data, Wal log);
  }

  /**
   * Creates it.
   *
   * @param storage the root directory
   * @param splitter splits the logs of the store
   */
  public MasterStoreOpening(
      Storage storage, LogSplitter splitter, LogOpener log, Environments contexts) {
    this.storage = storage;
    this.splitter = splitter;
    this.log = log;
    this.contexts = contexts;
  }

  @Override
  public MasterStore open(long epoch, MasterContext.LeadCheck leads) throws IOException {
    List<Storage.FileInfo> left = storage.list(LOGS);
    leads.check();
    for (Storage.FileInfo earlier : left) {
      splitter.split(earlier.path());
    }
    String region = RegionDirectory.of(RegionMasterStore.DATA, RegionMasterStore.REGION).path();
    splitter.split(Storage.join(region, FOREIGN_RECOVERED_LOGS));
    Wal begun = log.begin(LOGS, LOG_ARCHIVE);
    try {
      return new LoggedMasterStore(
          new RegionMasterStore(
              Region.open(
                  RegionMasterStore.REGION,
                  RegionMasterStore.schema(),
                  contexts.regionContext(RegionMasterStore.DATA, begun),
                  new FencingToken(epoch, 0))),
          begun);
    } catch (IOException | RuntimeException e) {
      begun.close();
      throw e;
    }
  }
}
