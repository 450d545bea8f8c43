package dev.cairn.shell.run;

import java.io.PrintWriter;

/** Prints the causes of errors while it is on. Used by one thread. */
public final class DebugMode {
  private final PrintWriter out;
  private boolean on;

  /**
   * Creates a mode.
   *
   * @param on whether it is initially on
   * @param out receives the stack traces
   */
  public DebugMode(boolean on, PrintWriter out) {
    this.on = on;
    this.out = out;
  }

  /** Prints the stack trace of an error if the mode is on. */
  public void print(Throwable failure) {
    if (on) {
      failure.printStackTrace(out);
      out.flush();
    }
  }

  /** Switches the mode on or off. */
  void toggle() {
    on = !on;
  }

  /** Returns the line that shows the mode to the user. */
  String told() {
    return "Debug mode is " + (on ? "ON" : "OFF");
  }
}
