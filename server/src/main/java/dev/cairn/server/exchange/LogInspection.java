package dev.cairn.server.exchange;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.file.WalCompression;
import dev.cairn.engine.wal.file.WalReader;
import dev.cairn.server.exchange.FolderInspection.Findings;
import dev.cairn.server.exchange.ImportReport.Log;
import dev.cairn.server.exchange.ImportReport.LogKind;
import dev.cairn.server.exchange.ImportReport.Severity;
import dev.cairn.server.master.store.RegionMasterStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Lists the logs to recover, and reads their headers. */
final class LogInspection {
  private static final String LOGS = "WALs";
  private static final String META_SUFFIX = ".meta";

  private final Storage folder;
  private final Findings findings;
  private final List<Log> logs = new ArrayList<>();

  LogInspection(Storage folder, Findings findings) {
    this.folder = folder;
    this.findings = findings;
  }

  List<Log> inspect() throws IOException {
    addBelow(LOGS, LogKind.REGION_SERVER);
    addBelow(Storage.join(RegionMasterStore.DIRECTORY, LOGS), LogKind.MASTER);
    long bytes = logs.stream().mapToLong(Log::bytes).sum();
    if (bytes > 0) {
      findings.add(
          Severity.NOTE,
          LOGS,
          (logs.size() == 1 ? "1 log" : logs.size() + " logs")
              + ", "
              + bytes
              + " bytes, not known to be in store files",
          "their entries are applied at the start");
    }
    return logs;
  }

  private void addBelow(String root, LogKind kind) throws IOException {
    for (Storage.FileInfo server : folder.list(root)) {
      if (server.directory()) {
        for (Storage.FileInfo file : folder.list(server.path())) {
          if (!file.directory()) {
            add(file, file.name().endsWith(META_SUFFIX) ? LogKind.META : kind);
          }
        }
      }
    }
  }

  private void add(Storage.FileInfo file, LogKind kind) {
    boolean compressed = false;
    boolean encrypted = false;
    if (file.length() > 0) {
      try (WalReader reader = WalReader.open(folder, file.path())) {
        WalCompression compression = reader.info().compression();
        compressed =
            compression.dictionary() || compression.tags() || compression.values().isPresent();
      } catch (IOException e) {
        encrypted = String.valueOf(e.getMessage()).contains("encrypted");
        findings.add(
            Severity.FOLDER_REFUSED,
            file.path(),
            e.getMessage(),
            "its entries cannot be recovered; with Apache HBase, start and stop in order once");
      }
    }
    logs.add(new Log(file.path(), kind, file.length(), compressed, encrypted));
  }
}
