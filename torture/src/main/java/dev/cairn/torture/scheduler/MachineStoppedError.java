package dev.cairn.torture.scheduler;

/** Unwinds the threads of a machine that has stopped. Code under test must not catch it. */
public final class MachineStoppedError extends Error {
  private static final long serialVersionUID = 1;

  /** Creates the error, without a stack trace. */
  public MachineStoppedError() {
    super("The simulated machine has stopped", null, false, false);
  }
}
