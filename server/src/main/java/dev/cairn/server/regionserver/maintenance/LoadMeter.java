package dev.cairn.server.regionserver.maintenance;

import java.lang.management.ManagementFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Measures the load of calls, which are sampled at random. Simulated servers get one of their own,
 * so that a run can be repeated. Thread-safe.
 *
 * @param threadNanos returns the processor time of the calling thread
 * @param random returns evenly distributed numbers
 * @param processors the number of processors
 */
public record LoadMeter(LongSupplier threadNanos, IntSupplier random, int processors) {
  /** Returns the meter of this process. */
  public static LoadMeter ofProcess() {
    return new LoadMeter(
        ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime,
        () -> ThreadLocalRandom.current().nextInt(),
        Runtime.getRuntime().availableProcessors());
  }
}
