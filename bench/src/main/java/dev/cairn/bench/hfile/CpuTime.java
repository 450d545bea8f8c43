package dev.cairn.bench.hfile;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds to each measurement the processor time of the whole process per operation: what the threads
 * took that help, collect garbage or compile, too. It hardly depends on what else the machine does.
 */
public final class CpuTime implements InternalProfiler {
  static final String LABEL = "cpu";

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
    double operations = Math.max(1, result.getMetadata().getMeasuredOps());
    return List.of(
        new ScalarResult(LABEL, nanos / operations / 1000, "us/op", AggregationPolicy.AVG));
  }
}
