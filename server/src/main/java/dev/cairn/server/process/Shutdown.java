package dev.cairn.server.process;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The objects to close, in the reverse order of their opening. Thread-safe; runs once. */
final class Shutdown {
  private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

  /** Closes something. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  private record Named(String name, Step step) {}

  private final Deque<Named> steps = new ArrayDeque<>();

  /** Adds an object, which is closed before all earlier ones. */
  synchronized void then(String name, Step step) {
    steps.push(new Named(name, step));
  }

  /** Closes everything; logs a failure and closes the rest. */
  synchronized void run() {
    while (!steps.isEmpty()) {
      Named next = steps.pop();
      LOG.debug("Closing {}", next.name());
      try {
        next.step().run();
      } catch (Exception | LinkageError e) { // such as a class whose file is gone
        LOG.warn("Closing {} failed", next.name(), e);
      }
    }
  }
}
