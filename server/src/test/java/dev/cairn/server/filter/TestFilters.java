package dev.cairn.server.filter;

import dev.cairn.server.rpc.ManualClock;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Parsers of filters for tests in which no call has a limit. */
public final class TestFilters {
  private TestFilters() {}

  /** Returns a parser that finds classes by {@code classes}. */
  public static FilterParser parser(ClassLoader classes) {
    // Without a limit nothing is scheduled, and no thread begins.
    return new FilterParser(
        classes, new EvaluationGuard(new ManualClock(), new ScheduledThreadPoolExecutor(0)));
  }
}
