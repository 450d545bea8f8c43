package dev.cairn.server.exchange;

import dev.cairn.engine.region.Region;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.server.catalog.CatalogContents;
import dev.cairn.server.catalog.MetaFormat;
import dev.cairn.server.catalog.StoredCatalog;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.store.RegionMasterStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Reads {@code hbase:meta} and the master's own region of a folder that must not be written: copies
 * both, which are small, into memory, adds their edits from all logs, and opens the copies. One
 * thread.
 */
final class SystemRegions {
  private static final String LOGS = "WALs";

  private final Storage folder;
  private final MemoryStorage copy;
  private final FolderInspection.Opener opener;

  /**
   * Creates a reader.
   *
   * @param folder the folder to read
   * @param copy an empty storage for the copies
   */
  SystemRegions(Storage folder, MemoryStorage copy, FolderInspection.Opener opener) {
    this.folder = folder;
    this.copy = copy;
    this.opener = opener;
  }

  /** Returns the contents of {@code hbase:meta}; empty if there is none. */
  CatalogContents catalog() throws IOException {
    String home = TableFiles.directory(RegionInfo.META);
    if (!folder.exists(home)) {
      return new CatalogContents(List.of(), Map.of(), List.of());
    }
    copy(home);
    addEdits(opener.splitter(copy, ""), LOGS);
    Region meta =
        Region.open(
            RegionInfo.META, MetaFormat.schema(), opener.context(copy, "data", new NoLog()));
    try {
      return StoredCatalog.read(meta);
    } finally {
      meta.close(true);
    }
  }

  /** Returns the procedures that HBase's master has in its store. */
  List<MasterStore.Entry> procedures() throws IOException {
    String root = RegionMasterStore.DIRECTORY;
    String data = Storage.join(root, "data");
    if (!folder.exists(data)) {
      return List.of();
    }
    copy(data);
    LogSplitter splitter = opener.splitter(copy, root);
    addEdits(splitter, Storage.join(root, LOGS));
    splitter.split(
        Storage.join(RegionDirectory.of(data, RegionMasterStore.REGION).path(), "recovered.wals"));
    Region region =
        Region.open(
            RegionMasterStore.REGION,
            RegionMasterStore.schema(),
            opener.context(copy, data, new NoLog()));
    try {
      return new RegionMasterStore(region).read(MasterStore.Section.FOREIGN_PROCEDURE);
    } finally {
      region.close(true);
    }
  }

  private void addEdits(LogSplitter splitter, String logs) throws IOException {
    for (Storage.FileInfo server : folder.list(logs)) {
      if (server.directory()) {
        splitter.splitFrom(folder, server.path());
      }
    }
  }

  private void copy(String directory) throws IOException {
    copy.createDirectories(directory);
    for (Storage.FileInfo entry : folder.list(directory)) {
      if (entry.directory()) {
        copy(entry.path());
      } else {
        copy.writeAll(entry.path(), folder.readAll(entry.path()));
      }
    }
  }
}
