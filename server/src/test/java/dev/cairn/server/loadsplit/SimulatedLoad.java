package dev.cairn.server.loadsplit;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.loadsplit.LoadSampler.Call;
import dev.cairn.server.rpc.ManualClock;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * Calls of a region in simulated time: a number of requests per second, for rows that the test
 * names by their numbers.
 */
final class SimulatedLoad {
  static final int ROW_BYTES = 100;

  private final ManualClock clock = new ManualClock();
  private final LoadSampler sampler;
  private final int perSecond;

  SimulatedLoad(SplittableRandom random, int perSecond) {
    this.sampler = new LoadSampler(clock, () -> 0, random::nextInt);
    this.perSecond = perSecond;
  }

  /** Runs a second of gets, and returns its slice. */
  LoadSlice second(IntSupplier rows) {
    return second(
        () -> {
          int row = rows.getAsInt();
          int samples = sampler.samples(1);
          for (int i = 0; i < samples; i++) {
            sampler.add(row(row), new Call(LoadSample.Kind.GET, 1, 1, ROW_BYTES, 10_000), samples);
          }
        });
  }

  /** Runs a second of scans of {@code rows} rows each, and returns its slice. */
  LoadSlice secondOfScans(IntSupplier starts, int rows) {
    return second(
        () -> {
          int start = starts.getAsInt();
          int samples = sampler.samples(rows);
          for (int i = 0; i < samples; i++) {
            byte[] row = row(start + sampler.choose(rows));
            Call call =
                new Call(LoadSample.Kind.GET, rows, 1, (long) rows * ROW_BYTES, 10_000L * rows);
            sampler.add(row, row(start), row(start + rows - 1), call, samples);
          }
        });
  }

  private LoadSlice second(Runnable call) {
    for (int i = 0; i < perSecond; i++) {
      call.run();
    }
    clock.advanceMillis(1_000);
    return sampler.next();
  }

  static byte[] row(int number) {
    return Bytes.utf8(String.format("row%08d", number));
  }

  static int number(byte[] row) {
    return Integer.parseInt(Bytes.utf8(row).substring(3));
  }

  /** Rows with a zipfian distribution, the popular ones anywhere among the others. */
  static final class Zipfian implements IntSupplier {
    private final SplittableRandom random;
    private final double[] sums;
    private final int[] places;

    Zipfian(SplittableRandom random, int rows) {
      this.random = random;
      this.sums = new double[rows];
      this.places = IntStream.range(0, rows).toArray();
      double sum = 0;
      for (int i = 0; i < rows; i++) {
        sum += Math.pow(i + 1, -0.99);
        sums[i] = sum;
        int other = random.nextInt(i + 1);
        places[i] = places[other];
        places[other] = i;
      }
    }

    @Override
    public int getAsInt() {
      int found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
      return places[Math.min(sums.length - 1, found < 0 ? -found - 1 : found)];
    }

    /** Returns the share of the load on the rows before {@code row}. */
    double shareBelow(int row) {
      double below = 0;
      for (int i = 0; i < sums.length; i++) {
        below += places[i] < row ? sums[i] - (i == 0 ? 0 : sums[i - 1]) : 0;
      }
      return below / sums[sums.length - 1];
    }
  }
}
