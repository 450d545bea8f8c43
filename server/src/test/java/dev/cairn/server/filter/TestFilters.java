package dev.cairn.server.filter;

import dev.cairn.server.rpc.ManualClock;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Creates filter parsers for tests without time limits. */
public final class TestFilters {
  private TestFilters() {}

  /** Returns a parser that loads classes from {@code classes}. */
  public static FilterParser parser(ClassLoader classes) {
    // Without a limit nothing is scheduled, so no thread starts.
    return new FilterParser(
        classes, new EvaluationGuard(new ManualClock(), new ScheduledThreadPoolExecutor(0)));
  }
}
