package dev.cairn.bench.hfile;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds to each measurement the processor time of the whole process per operation: what the threads
 * took that help, collect garbage or compile, too. It hardly depends on what else the machine does.
 */
public final class CpuTime implements InternalProfiler {
  private static final String SPENT = "cpuNanos";
  private static final String OUTSIDE = "outsideNanos";
  private static final String OPERATIONS = "operations";

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private long before;

  @Override
  public String getDescription() {
    return "processor time of the process";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = system.getProcessCpuTime();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double nanos = system.getProcessCpuTime() - before;
    long operations = result.getMetadata().getMeasuredOps();
    return List.of(
        new ScalarResult(SPENT, nanos, "ns", AggregationPolicy.SUM),
        new ScalarResult(OPERATIONS, operations, "", AggregationPolicy.SUM));
  }

  /** Returns how much one operation took, nanoseconds. */
  public static double perOperation(RunResult result) {
    double outside = result.getSecondaryResults().containsKey(OUTSIDE) ? score(result, OUTSIDE) : 0;
    return (score(result, SPENT) - outside) / score(result, OPERATIONS);
  }

  private static double score(RunResult result, String label) {
    return result.getSecondaryResults().get(label).getScore();
  }

  /** The time that the process spent between the operations, which does not count. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Outside {
    /** Nanoseconds; JMH sets it to zero before each iteration. */
    public long outsideNanos;

    void add(long nanos) {
      outsideNanos += nanos;
    }
  }
}
