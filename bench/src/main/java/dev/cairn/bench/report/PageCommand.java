package dev.cairn.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code cairn bench page}: writes the tables of docs/PERFORMANCE.md anew. */
@Command(
    name = "page",
    description = {
      "Writes the tables of docs/PERFORMANCE.md anew, from the files in bench/results.",
      "bench/results/README.md has the form of the files, and more tables."
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
