package dev.cairn.torture;

import java.util.List;

/** A failed check in a world: an answer that nothing explains, or an unexpected error. */
public final class WorldFailure extends RuntimeException {
  private static final int LAST_STEPS = 25;

  private final long seed;
  private final int step;

  private final List<String> trace;

  WorldFailure(long seed, int step, String kind, List<String> trace, Throwable cause) {
    super(
        "Seed %d (%s) failed in step %d: %s%nThe last steps:%n  %s"
            .formatted(seed, kind, step, cause.getMessage(), String.join("\n  ", last(trace))),
        cause);
    this.seed = seed;
    this.step = step;
    this.trace = List.copyOf(trace);
  }

  private static List<String> last(List<String> trace) {
    return trace.subList(Math.max(0, trace.size() - LAST_STEPS), trace.size());
  }

  /** Returns the operations, from the beginning. */
  public List<String> trace() {
    return trace;
  }

  /** Returns the world's seed. */
  public long seed() {
    return seed;
  }

  /** Returns the number of the step in which it went wrong. */
  public int step() {
    return step;
  }
}
