package dev.cairn.server.process.page;

import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageInfo;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Section.Tiles;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import dev.cairn.server.process.metrics.WalMetrics;
import java.util.List;
import java.util.Map;

/** The page of a region server's log files. Stateless. */
public final class LogsPage {
  private LogsPage() {}

  public static PageSource source(WalMetrics metrics) {
    return PageSource.of(
        PageInfo.of(
            "wal",
            "Write-ahead log",
            MenuGroup.SERVER,
            "The log's counters, and the log files that regions still need."),
        request -> page(metrics));
  }

  private static Page page(WalMetrics metrics) {
    Map<String, Long> files = metrics.endedFiles();
    return Page.of(
        "Write-ahead log",
        new Tiles(
            "summary",
            List.of(
                new Fact("entries", "Entries", Value.count(metrics.entryCount())),
                new Fact("writtenBytes", "Written", Value.bytes(metrics.writtenBytes())),
                new Fact("rolls", "Closed files", Value.count(metrics.rollCount())),
                new Fact("failedFiles", "Failed files", Value.count(metrics.failureCount())),
                new Fact(
                    "neededBytes",
                    "Still needed",
                    Value.bytes(files.values().stream().mapToLong(Long::longValue).sum())))),
        Table.of("files", "Closed files that regions still need", files.entrySet())
            .column("file", "File", Kind.NAME, file -> Value.name(file.getKey()))
            .bytes("bytes", "Length", Map.Entry::getValue)
            .whenEmpty("Only the active files are needed.")
            .build());
  }
}
