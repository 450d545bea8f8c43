package dev.cairn.interop.coprocessor;

import org.junit.AssumptionViolatedException;

/** A test asks for an object inside a server that a test's Cairn does not have: it is skipped. */
public final class NotServed {
  private static final String MARK = "[server object] ";

  private NotServed() {}

  /** Returns the exception to throw. */
  public static RuntimeException of(String what) {
    return new AssumptionViolatedException(MARK + what);
  }

  /**
   * Tells whether a failure has such an exception among its causes, or the test itself calls a
   * method of a server's object that Cairn does not have.
   */
  static boolean isCauseOf(Throwable failure) {
    if (failure instanceof UnsupportedOperationException
        && String.valueOf(failure.getMessage()).contains(" is not served by Cairn")) {
      return true;
    }
    int depth = 0;
    for (Throwable one = failure; one != null && depth < 20; one = one.getCause()) {
      if (String.valueOf(one.getMessage()).contains(MARK)) {
        return true;
      }
      depth++;
    }
    return false;
  }
}
