package dev.cairn.launcher;

import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.nio.file.Path;

/** All that the command line knows of the server. */
@FunctionalInterface
public interface Database {
  /**
   * Starts a server and returns when it serves.
   *
   * @param config its settings
   * @param dataFolder where its data lies; exists, and belongs to this process
   * @throws dev.cairn.server.config.ConfigException if the settings cannot be used
   * @throws IOException if it cannot start; the message is one line that names the cause
   * @throws InterruptedException if interrupted while starting
   */
  Running start(SiteConfig config, Path dataFolder) throws IOException, InterruptedException;

  /** A server that serves. Thread-safe. */
  interface Running extends AutoCloseable {
    /** Returns where it can be reached. */
    Endpoints endpoints();

    /** Waits until it has ended, by {@link #close} or by itself. */
    void awaitStopped() throws InterruptedException;

    /** Stops it and waits for the end; does nothing if it has ended. */
    @Override
    void close() throws IOException;
  }
}
