package dev.cairn.phoenix;

/** Ends the process, with the stacks of its threads, if a method takes too long. */
final class Watchdog extends Thread {
  private static final int STATUS = 3;

  private final Results results;
  private final int seconds;

  Watchdog(Results results, int seconds) {
    super("watchdog");
    this.results = results;
    this.seconds = seconds;
    setDaemon(true);
  }

  @Override
  public void run() {
    try {
      while (results.quietSeconds() < seconds) {
        Thread.sleep(500);
      }
    } catch (InterruptedException e) {
      return;
    }
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              System.err.println("== " + thread);
              for (StackTraceElement frame : stack) {
                System.err.println("    at " + frame);
              }
            });
    results.giveUp();
    Runtime.getRuntime().halt(STATUS);
  }
}
