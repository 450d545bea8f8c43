package dev.cairn.launcher.site;

import dev.cairn.engine.storage.Storage;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** All that the command line knows of the server. */
@FunctionalInterface
public interface Database {
  /**
   * Starts a server and returns when it serves.
   *
   * @param config its settings
   * @param source reads the settings again, when a client requests it
   * @param storage the data folder, which belongs to this process
   * @param folder the path of the data folder, for files that do not go through the storage
   * @param notice receives, one line each, the reasons for a long start
   * @throws dev.cairn.server.config.ConfigException if the settings cannot be used
   * @throws IOException if it cannot start; the message is one line that names the cause
   * @throws InterruptedException if interrupted while starting
   */
  Running start(
      SiteConfig config,
      Supplier<SiteConfig> source,
      Storage storage,
      Path folder,
      Consumer<String> notice)
      throws IOException, InterruptedException;

  /** A server that serves. Thread-safe. */
  interface Running extends AutoCloseable {
    /** Returns where it can be reached. */
    Addresses addresses();

    /**
     * Waits until it has ended.
     *
     * @return whether it was asked to; false if it could not go on
     */
    boolean awaitStopped() throws InterruptedException;

    /** Returns why it ended by itself, in one line; empty if that is not known. */
    default Optional<String> failure() {
      return Optional.empty();
    }

    /**
     * Tells, once it has ended, whether it may {@link #startAgain}: it ended without a fault of its
     * own.
     */
    default boolean mayStartAgain() {
      return false;
    }

    /** Restarts it, with the settings and the data folder that it had. */
    default Running startAgain() throws IOException, InterruptedException {
      throw new IllegalStateException("It must not start again");
    }

    /** Stops it and waits for the end; does nothing if it has ended. */
    @Override
    void close() throws IOException;
  }
}
