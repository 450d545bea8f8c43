package dev.cairn.torture.scheduler;

/**
 * The thread that runs a {@link SimulatedThread}. For the holder of the baton, except {@link
 * #thread}.
 */
interface ThreadHandle {
  /** Returns the thread, as the code that runs on it sees it. */
  Thread thread();

  /** Lets the thread continue, or begin; it has the baton. */
  void proceed();

  /** Lets the thread end, which has no task. */
  void end();
}
