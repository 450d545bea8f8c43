package dev.cairn.bench.bulk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The tasks, each on both sides in turn. One thread. */
final class BulkRun {
  private static final String TABLE = "bulk";
  private static final String IMPORTED = "imported";
  private static final String WIDE = "wide";
  private static final String WRITTEN = "written";
  private static final int WRITTEN_REGIONS = 8;
  private static final long FILL_MILLIS = 2000;
  private static final long AFTER_MILLIS = 200;

  private final BulkSide cairn;
  private final BulkSide apache;
  private final LoadableFiles files;
  private final Consumer<String> progress;
  private final Map<String, List<BulkSide.Cost>> costs = new LinkedHashMap<>();
  private int numbers;

  BulkRun(BulkSide cairn, BulkSide apache, LoadableFiles files, Consumer<String> progress) {
    this.cairn = cairn;
    this.apache = apache;
    this.files = files;
    this.progress = progress;
  }

  /** Returns the costs by task and side, in the order of the rounds. */
  Map<String, List<BulkSide.Cost>> costs() {
    return costs;
  }

  private void measure(String task, BulkSide side, String how, BulkSide.Task work)
      throws IOException, InterruptedException {
    BulkSide.Cost cost = side.measure(work);
    String key = task + "\t" + how;
    costs.computeIfAbsent(key, unused -> new ArrayList<>()).add(cost);
    progress.accept("%s\t%.2f s\t%.2f s CPU".formatted(key, cost.seconds(), cost.cpuSeconds()));
  }

  /** Runs all tasks on the loaded table once. */
  void round() throws IOException, InterruptedException {
    int number = ++numbers;
    for (BulkSide side : List.of(apache, cairn)) {
      side.createTable(TABLE, files.splits());
      Path linked = files.linkedIn(side.folder().resolve("files" + number));
      measure(
          "bulk load",
          side,
          "completebulkload, " + side.name(),
          () -> side.command("completebulkload", linked.toUri().toString(), TABLE));
    }
    jobs("rows counted", "rowcounter", "count", new String[0], new String[0]);
    jobs(
        "export",
        "export",
        "export",
        new String[] {"OUT/job" + number},
        new String[] {"OUT/own" + number});
    for (Way way : ways("import", "import")) {
      way.side().createTable(IMPORTED, files.splits());
      measure(
          "import",
          way.side(),
          way.name(),
          () ->
              way.side()
                  .command(
                      way.commands(
                          IMPORTED,
                          way.side()
                              .folder()
                              .resolve((way.isJob() ? "job" : "own") + number)
                              .toUri()
                              .toString())));
      way.side().dropTable(IMPORTED);
    }
    for (BulkSide side : List.of(apache, cairn)) {
      side.dropTable(TABLE);
    }
  }

  /** A way to do a task: a job of Apache's, or Cairn's own command. */
  private record Way(BulkSide side, boolean isJob, String job, String own) {
    String name() {
      return (isJob ? "Apache's job" : "bin/cairn " + own) + ", " + side.name();
    }

    String[] commands(String... arguments) {
      List<String> all = new ArrayList<>();
      all.add(isJob ? "mapreduce " + job : own);
      all.addAll(List.of(arguments));
      return all.toArray(String[]::new);
    }
  }

  private List<Way> ways(String job, String own) {
    return List.of(
        new Way(apache, true, job, own),
        new Way(cairn, true, job, own),
        new Way(cairn, false, job, own));
  }

  private void jobs(String task, String job, String own, String[] ofJob, String[] ofOwn)
      throws IOException, InterruptedException {
    for (Way way : ways(job, own)) {
      List<String> arguments = new ArrayList<>(List.of(TABLE));
      for (String argument : way.isJob() ? ofJob : ofOwn) {
        arguments.add(argument.replace("OUT", way.side().folder().toUri().toString()));
      }
      measure(
          task,
          way.side(),
          way.name(),
          () -> way.side().command(way.commands(arguments.toArray(String[]::new))));
    }
  }

  /**
   * Takes and clones snapshots of a table with many regions.
   *
   * @param regions of the table
   * @param rounds how often
   */
  void snapshots(int regions, int rounds) throws IOException, InterruptedException {
    for (BulkSide side : List.of(apache, cairn)) {
      side.createWide(WIDE, regions);
    }
    for (int round = 1; round <= rounds; round++) {
      for (BulkSide side : List.of(apache, cairn)) {
        String snapshot = "s" + round;
        String table = "clone" + round;
        long before = side.storeBytes();
        measure("snapshot", side, side.name(), () -> doneBy(() -> side.snapshot(snapshot, WIDE)));
        measure(
            "clone", side, side.name(), () -> doneBy(() -> side.cloneSnapshot(snapshot, table)));
        progress.accept("bytes copied\t%s\t%d".formatted(side.name(), side.storeBytes() - before));
      }
    }
  }

  /**
   * Flushes a table and takes its snapshot while clients write to it. Prints the longest put
   * meanwhile, and that of an equally long time without either.
   *
   * @param rounds how often
   */
  void pauses(int rounds) throws IOException, InterruptedException {
    for (BulkSide side : List.of(apache, cairn)) {
      side.createWide(WRITTEN, WRITTEN_REGIONS);
    }
    for (int round = 1; round <= rounds; round++) {
      String snapshot = "written" + round;
      for (BulkSide side : List.of(apache, cairn)) {
        try (Writers writers = side.write(WRITTEN, WRITTEN_REGIONS)) {
          pause("nothing", side, writers, () -> {});
          pause("flush", side, writers, () -> side.flush(WRITTEN));
          pause("snapshot", side, writers, () -> side.snapshot(snapshot, WRITTEN));
        }
      }
    }
  }

  private void pause(String what, BulkSide side, Writers writers, Call call)
      throws IOException, InterruptedException {
    TimeUnit.MILLISECONDS.sleep(FILL_MILLIS); // the memory of the regions fills
    writers.longestMillis();
    call.run();
    TimeUnit.MILLISECONDS.sleep(AFTER_MILLIS);
    progress.accept(
        "longest put\t%s, %s\t%.1f ms".formatted(what, side.name(), writers.longestMillis()));
  }

  private interface Call {
    void run() throws IOException;
  }

  /** Runs a call of this process, whose processor time does not count. */
  private static double doneBy(Call call) throws IOException {
    call.run();
    return 0;
  }
}
