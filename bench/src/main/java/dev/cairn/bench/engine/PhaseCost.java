package dev.cairn.bench.engine;

/**
 * The cost of one phase on one side.
 *
 * @param phase the phase
 * @param threads number of threads
 * @param operations number of operations
 * @param wallNanos duration
 * @param cpuNanos processor time of the whole process; for phases that write, until all due flushes
 *     and compactions have ended
 * @param threadNanos processor time of the threads that did the operations: without those that
 *     write logs and files, compile, or collect garbage
 * @param allocatedBytes heap that these threads allocated
 */
record PhaseCost(
    Phase phase,
    int threads,
    long operations,
    long wallNanos,
    long cpuNanos,
    long threadNanos,
    long allocatedBytes) {
  /** Returns operations a second. */
  double throughput() {
    return operations * 1e9 / wallNanos;
  }

  /** Returns the time of one operation, all threads together, nanoseconds. */
  double wallPerOperation() {
    return (double) wallNanos / operations;
  }

  /** Returns processor time of one operation, nanoseconds. */
  double cpuPerOperation() {
    return (double) cpuNanos / operations;
  }

  /** Returns processor time of one operation in the thread that did it, nanoseconds. */
  double threadPerOperation() {
    return (double) threadNanos / operations;
  }

  /** Returns heap allocated by one operation, bytes. */
  double allocatedPerOperation() {
    return (double) allocatedBytes / operations;
  }

  String toLine() {
    return "%s %d %d %d %d %d %d"
        .formatted(phase, threads, operations, wallNanos, cpuNanos, threadNanos, allocatedBytes);
  }

  static PhaseCost ofLine(String line) {
    String[] parts = line.split(" ");
    return new PhaseCost(
        Phase.valueOf(parts[0]),
        Integer.parseInt(parts[1]),
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]),
        Long.parseLong(parts[4]),
        Long.parseLong(parts[5]),
        Long.parseLong(parts[6]));
  }
}
