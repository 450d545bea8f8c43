package dev.cairn.server.hadoop;

import java.io.IOException;

/**
 * Lets interrupted threads finish their operation; they stay interrupted. Hadoop's clients would
 * give up a file, or a connection that others share, as soon as they see the mark.
 */
final class Uninterrupted {
  private Uninterrupted() {}

  /** Runs an action that returns a result. */
  static <T> T call(Call<T> call) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return call.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Runs an action without a result. */
  static void run(Action action) throws IOException {
    call(
        () -> {
          action.run();
          return null;
        });
  }

  /** An operation that may fail, with a result. */
  interface Call<T> {
    T run() throws IOException;
  }

  /** An operation that may fail, without a result. */
  interface Action {
    void run() throws IOException;
  }
}
