package dev.cairn.bench.engine;

import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@code cairn bench engine}, which it passes on to the processes of the sides. */
final class EngineOptions {
  private static final int MEGABYTE = 1 << 20;

  @Option(
      names = "--sides",
      split = ",",
      defaultValue = "cairn,rocksdb,skip_list",
      description = "The compared sides (default: ${DEFAULT-VALUE}).")
  List<String> sides;

  @Option(
      names = "--shapes",
      split = ",",
      defaultValue = "1x100,1x1000,10x100",
      description = "Cells of a row x bytes of a value (default: ${DEFAULT-VALUE}).")
  List<String> shapes;

  @Option(
      names = "--compression",
      split = ",",
      defaultValue = "none",
      description = "none, snappy or both (default: ${DEFAULT-VALUE}).")
  List<String> compressions;

  @Option(
      names = "--log",
      split = ",",
      defaultValue = "flushed",
      description =
          "Durability of an acknowledged write: flushed to the operating system, synced to"
              + " the device, or both (default: ${DEFAULT-VALUE}).")
  List<String> logs;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1,2",
      description = "Number of threads (default: ${DEFAULT-VALUE}).")
  List<Integer> threads;

  @Option(
      names = "--phases",
      split = ",",
      defaultValue = "load,put,batch,mixed,get,miss,scan,scan_all",
      description = "The measured phases; load always runs (default: ${DEFAULT-VALUE}).")
  List<String> phases;

  @Option(
      names = "--data",
      split = ",",
      defaultValue = "200",
      description = "Megabytes of values (default: ${DEFAULT-VALUE}).")
  List<Integer> dataMegabytes;

  @Option(
      names = "--cache",
      defaultValue = "600",
      description = "Megabytes of cache for blocks (default: ${DEFAULT-VALUE}).")
  int cacheMegabytes;

  @Option(
      names = "--mem-table",
      defaultValue = "64",
      description = "Megabytes in memory that make a file (default: ${DEFAULT-VALUE}).")
  int memTableMegabytes;

  @Option(
      names = "--block",
      defaultValue = "64",
      description = "Kilobytes of a block (default: ${DEFAULT-VALUE}).")
  int blockKilobytes;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Number of rounds (default: ${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "3",
      description = "Duration of each phase (default: ${DEFAULT-VALUE}).")
  double seconds;

  @Option(
      names = "--warm-up",
      defaultValue = "3",
      description =
          "Seconds that each phase runs before it is measured (default: ${DEFAULT-VALUE}).")
  double warmUpSeconds;

  @Option(
      names = "--heap",
      defaultValue = "2g",
      description = "The Java heap of each side (default: ${DEFAULT-VALUE}).")
  String heap;

  @Option(
      names = "--directory",
      defaultValue = "${sys:java.io.tmpdir}",
      description = "Where the sides' folders are made, and deleted (default: ${DEFAULT-VALUE}).")
  String directory;

  Setting setting(String shape, String compression, String log) {
    String[] parts = shape.split("x");
    int columns = Integer.parseInt(parts[0]);
    int valueBytes = Integer.parseInt(parts[1]);
    return new Setting(
        (int) ((long) dataMegabytes.get(0) * MEGABYTE / (columns * valueBytes)),
        columns,
        valueBytes,
        choice("compression", compression, "none", "snappy"),
        choice("log", log, "flushed", "synced"),
        (long) cacheMegabytes * MEGABYTE,
        blockKilobytes * 1024,
        (long) memTableMegabytes * MEGABYTE);
  }

  private static boolean choice(String option, String value, String no, String yes) {
    if (!value.equals(no) && !value.equals(yes)) {
      throw new IllegalArgumentException(
          "--" + option + " takes " + no + " and " + yes + ", not " + value);
    }
    return value.equals(yes);
  }
}
