package dev.cairn.shell.run;

/** A script calls {@code exit}. */
public final class ExitException extends RuntimeException {
  private final int status;

  ExitException(int status) {
    super("exit " + status, null, false, false);
    this.status = status;
  }

  /** Returns the exit status of the process. */
  public int status() {
    return status;
  }
}
