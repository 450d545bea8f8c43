package dev.cairn.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code cairn bench page}: rewrites the tables of docs/PERFORMANCE.md. */
@Command(
    name = "page",
    description = {
      "Rewrites the tables of docs/PERFORMANCE.md from the files in bench/results.",
      "bench/results/README.md describes the files and has more tables."
    })
public final class PageCommand implements Callable<Integer> {
  @Override
  public Integer call() throws IOException {
    String home = System.getProperty("cairn.home");
    if (home == null) {
      throw new IOException("Start this as: bin/cairn bench page");
    }
    List<Path> pages = ResultPages.in(Path.of(home));
    for (var page : ResultPages.rewritten(pages, Path.of(home, "bench", "results")).entrySet()) {
      Files.writeString(page.getKey(), page.getValue());
    }
    return 0;
  }
}
