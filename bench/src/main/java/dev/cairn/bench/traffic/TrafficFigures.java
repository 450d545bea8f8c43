package dev.cairn.bench.traffic;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSampler;
import dev.cairn.server.loadsplit.LoadSlice;
import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.traffic.Traffic;
import dev.cairn.server.traffic.Traffic.Caller;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Prints the processor time that the observation of a call takes, nanoseconds, by its parts, for
 * regions of which each serves so many calls per second. Runs the server's own classes as a region
 * server does, in simulated time, on one thread; takes the thread's processor time, which hardly
 * depends on what else the machine does. The parts take turns; of several rounds the median is
 * taken.
 *
 * <p>Arguments: the number of rounds, the first two of which are warm-up and not counted; then
 * rates, calls per second of a region.
 */
public final class TrafficFigures {
  private static final int WARMING_UP = 2;
  private static final int SECONDS = 70; // so that a minute is saved
  private static final int ROWS = 1 << 16;
  private static final int CALLERS_EVERY = 32;
  private static final int HISTOGRAMS = 6; // times and sizes that a server records of a call

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final byte[][] rows = new byte[ROWS][];
  private final RegionInfo region =
      new RegionInfo(TableName.parse("usertable"), Bytes.EMPTY, Bytes.EMPTY, 1);

  private TrafficFigures() {
    for (int i = 0; i < ROWS; i++) {
      rows[i] = Bytes.utf8("user" + (i * 0x9E3779B97F4A7C15L));
    }
  }

  /** A clock that moves on request. */
  private static final class SimulatedClock implements Clock {
    private long nanos = TimeUnit.DAYS.toNanos(1);

    @Override
    public long currentTimeMillis() {
      return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    @Override
    public long nanoTime() {
      return nanos;
    }
  }

  /** The processor time of a call by its parts, nanoseconds. */
  private record Cost(double samples, double traffic, double callers, double histograms) {}

  /** Runs it. */
  public static void main(String[] arguments) throws IOException {
    int rounds = Integer.parseInt(arguments[0]);
    System.out.println(
        "calls/s of a region | samples | traffic | callers | histograms (ns a call)");
    for (int i = 1; i < arguments.length; i++) {
      new TrafficFigures().measure(rounds, Integer.parseInt(arguments[i]));
    }
  }

  private void measure(int rounds, int perSecond) throws IOException {
    List<Cost> costs = new ArrayList<>();
    for (int round = 0; round < rounds + WARMING_UP; round++) {
      Cost cost = cost(perSecond);
      if (round >= WARMING_UP) {
        costs.add(cost);
      }
    }
    System.out.printf(
        "%,d | %.1f | %.1f | %.1f | %.1f%n",
        perSecond,
        median(costs.stream().mapToDouble(Cost::samples).toArray()),
        median(costs.stream().mapToDouble(Cost::traffic).toArray()),
        median(costs.stream().mapToDouble(Cost::callers).toArray()),
        median(costs.stream().mapToDouble(Cost::histograms).toArray()));
  }

  private Cost cost(int perSecond) throws IOException {
    SimulatedClock clock = new SimulatedClock();
    Traffic traffic = Traffic.recorded("server,1", clock, new MemoryStorage(clock));
    LoadSampler sampler =
        new LoadSampler(
            clock, threads::getCurrentThreadCpuTime, () -> ThreadLocalRandom.current().nextInt());
    Caller caller = new Caller("app", InetAddress.getLoopbackAddress());
    Histogram histogram = new Histogram();
    traffic.regions(List.of(region));
    double[] nanos = new double[4];
    long kept = 0;
    for (int second = 0; second < SECONDS; second++) {
      long begun = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < perSecond; i++) {
        kept += rows[next()].length;
      }
      long loop = threads.getCurrentThreadCpuTime() - begun;
      begun = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < perSecond; i++) {
        byte[] row = rows[next()];
        kept += row.length;
        get(sampler, row);
      }
      nanos[0] += threads.getCurrentThreadCpuTime() - begun - loop;
      clock.nanos += TimeUnit.SECONDS.toNanos(1);
      begun = threads.getCurrentThreadCpuTime();
      LoadSlice slice = sampler.next();
      traffic.add(region, slice);
      if (traffic.isDue()) {
        traffic.save();
      }
      nanos[1] += threads.getCurrentThreadCpuTime() - begun;
      begun = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < perSecond; i++) {
        kept += rows[next()].length;
        if ((ThreadLocalRandom.current().nextInt() & CALLERS_EVERY - 1) == 0) {
          traffic.called(caller, CALLERS_EVERY);
        }
      }
      nanos[2] += threads.getCurrentThreadCpuTime() - begun - loop;
      begun = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < perSecond; i++) {
        kept += rows[next()].length;
        for (int one = 0; one < HISTOGRAMS; one++) {
          histogram.record(10_000 + one * (kept & 0xfff));
        }
      }
      nanos[3] += threads.getCurrentThreadCpuTime() - begun - loop;
    }
    if (kept == 0) {
      throw new IllegalStateException("no rows");
    }
    double calls = (double) SECONDS * perSecond;
    return new Cost(nanos[0] / calls, nanos[1] / calls, nanos[2] / calls, nanos[3] / calls);
  }

  /** Does what a region does for a get besides the get. */
  private static void get(LoadSampler sampler, byte[] row) {
    int samples = sampler.samples(1);
    if (samples > 0) {
      long began = sampler.cpuNanos();
      LoadSampler.Call call =
          new LoadSampler.Call(LoadSample.Kind.GET, 1, 1, 1_000, sampler.cpuNanos() - began);
      sampler.add(row, call, samples);
    }
  }

  private static int next() {
    return ThreadLocalRandom.current().nextInt(ROWS);
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
