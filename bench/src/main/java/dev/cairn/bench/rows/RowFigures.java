package dev.cairn.bench.rows;

import com.sun.management.ThreadMXBean;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import site.ycsb.generator.ScrambledZipfianGenerator;

/**
 * Scans regions of which none, some or all rows were updated, all of them and in pieces of 50 rows
 * as YCSB's workload E chooses them, and prints the scanning thread's processor time for a row, and
 * how much more that is than without updates for each row that was updated. Processor time hardly
 * depends on what else the machine does; of several rounds in turns the median is taken.
 *
 * <p>Arguments: the number of rounds, the first two of which are warm-up and not counted; the
 * number of rows; the shares of updated rows, percent.
 */
public final class RowFigures {
  private static final int SHORT_ROWS = 50;
  private static final int SHORT_SCANS = 2000;
  private static final int WARMING_UP = 2;
  private static final ReadBudget ANSWER = new ReadBudget(-1, 2 << 20, Long.MAX_VALUE, true);

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final CellBuffer out = new CellBuffer(3 << 20, 20_000);
  private final RowSizes sizes = new RowSizes();

  private RowFigures() {}

  private interface Work {
    long run() throws IOException;
  }

  /** The figures of one region, round by round: processor time of a row, nanoseconds. */
  private record Subject(
      String name, UpdatedRegion region, List<Double> full, List<Double> pieces) {
    double updatedShare() {
      return (double) region.updatedRows() / region.rows();
    }
  }

  /** Measures. */
  public static void main(String[] arguments) throws IOException {
    int rounds = Integer.parseInt(arguments[0]);
    int[] shares = Stream.of(arguments).skip(2).mapToInt(Integer::parseInt).toArray();
    new RowFigures().run(rounds, Integer.parseInt(arguments[1]), shares);
  }

  private void run(int rounds, int rows, int[] shares) throws IOException {
    List<Subject> subjects = new ArrayList<>();
    for (int share : shares) {
      subjects.add(subject(share + " % updated, in memory", rows, share, false));
      if (share > 0) {
        subjects.add(subject(share + " % updated, in a second file", rows, share, true));
      }
    }
    System.out.println("filled");
    for (int round = 0; round < WARMING_UP + rounds; round++) {
      for (Subject subject : subjects) {
        double full = nanos(() -> scanAll(subject.region()));
        double pieces = nanos(() -> scanPieces(subject.region()));
        if (round >= WARMING_UP) {
          subject.full().add(full);
          subject.pieces().add(pieces);
        }
      }
    }
    print(subjects);
    for (Subject subject : subjects) {
      subject.region().close();
    }
  }

  private static Subject subject(String name, int rows, int share, boolean flushed)
      throws IOException {
    UpdatedRegion region = new UpdatedRegion(rows, share, flushed);
    return new Subject(name, region, new ArrayList<>(), new ArrayList<>());
  }

  private double nanos(Work work) throws IOException {
    long before = threads.getCurrentThreadCpuTime();
    long rows = work.run();
    return (threads.getCurrentThreadCpuTime() - before) / (double) rows;
  }

  private long scanAll(UpdatedRegion region) throws IOException {
    long rows = 0;
    try (RegionRead scanner = region.region().read(ScanRequest.builder().build(), ANSWER)) {
      ScanProgress progress = ScanProgress.ROW_DONE;
      while (progress != ScanProgress.END) {
        out.clear();
        sizes.clear();
        progress = scanner.nextRows(out, sizes, ANSWER);
        rows += sizes.size();
      }
    }
    if (rows != region.rows()) {
      throw new IllegalStateException(rows + " rows instead of " + region.rows());
    }
    return rows;
  }

  private long scanPieces(UpdatedRegion region) throws IOException {
    ScrambledZipfianGenerator chosen = new ScrambledZipfianGenerator(region.rows());
    long rows = 0;
    for (int i = 0; i < SHORT_SCANS; i++) {
      byte[] start = region.key(chosen.nextValue().intValue());
      ScanRequest request = ScanRequest.builder().start(start, true).build();
      out.clear();
      try (RegionRead scanner = region.region().read(request, atOnce(SHORT_ROWS))) {
        sizes.clear();
        ScanProgress progress = ScanProgress.ROW_DONE;
        while (progress == ScanProgress.ROW_DONE && sizes.size() < SHORT_ROWS) {
          progress = scanner.nextRows(out, sizes, atOnce(SHORT_ROWS - sizes.size()));
        }
      }
      rows += sizes.size();
    }
    return rows;
  }

  private static ReadBudget atOnce(int rows) {
    return new ReadBudget(
        rows, -1, ANSWER.maxBytes(), Long.MAX_VALUE, true, ReadBudget.Waiting.NEVER);
  }

  private static void print(List<Subject> subjects) {
    System.out.println(
        "| rows | cells updated | full scan | an updated row | 50 rows | an updated row |");
    System.out.println("| --- | --- | --- | --- | --- | --- |");
    double full = median(subjects.get(0).full());
    double pieces = median(subjects.get(0).pieces());
    for (Subject subject : subjects) {
      double share = Math.max(subject.updatedShare(), 1e-9);
      boolean some = subject.region().updatedRows() > 0;
      double fullOfSubject = median(subject.full());
      double piecesOfSubject = median(subject.pieces());
      System.out.printf(
          "| %s | %d | %.0f | %.0f | %.0f | %.0f |%n",
          subject.name(),
          subject.region().updates(),
          fullOfSubject,
          some ? full + (fullOfSubject - full) / share : 0,
          piecesOfSubject,
          some ? pieces + (piecesOfSubject - pieces) / share : 0);
    }
    System.out.println("Processor time of a row, nanoseconds: medians.");
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
