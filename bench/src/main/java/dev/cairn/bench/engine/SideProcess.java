package dev.cairn.bench.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The process of one side: takes the measurements of one setting and prints them, a line each, then
 * the length of the files and the checksum of the rows read.
 */
@Command(name = "side")
final class SideProcess implements Callable<Integer> {
  /** The prefix of a measurement's line. */
  static final String COST = "cost ";

  /** The prefix of the line with the length of all files. */
  static final String FILE_BYTES = "files ";

  /** The prefix of the last line. */
  static final String CHECKSUM = "checksum ";

  @Mixin private EngineOptions options;

  @Option(names = "--side", required = true)
  private Side side;

  @Option(names = "--folder", required = true)
  private Path folder;

  /** Runs the process. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new SideProcess()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    Setting setting =
        options.setting(options.shapes.get(0), options.compressions.get(0), options.logs.get(0));
    int threads = options.threads.get(0);
    try (RowStore store = side.open(setting, folder)) {
      EngineRun run =
          new EngineRun(
              store,
              setting.rows(),
              (long) (options.warmUpSeconds * 1e9),
              (long) (options.seconds * 1e9));
      print(COST + run.measure(Phase.LOAD, threads).toLine());
      boolean merged = false;
      for (String name : options.phases) {
        Phase phase = Phase.parse(name);
        if (phase == Phase.LOAD) {
          continue;
        }
        if (!phase.writes() && !merged) {
          store.settle();
          store.compact();
          merged = true;
        }
        print(COST + run.measure(phase, threads).toLine());
      }
      store.settle();
      store.compact();
      print(FILE_BYTES + store.fileBytes());
      print(CHECKSUM + run.checksum());
    }
    return 0;
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
