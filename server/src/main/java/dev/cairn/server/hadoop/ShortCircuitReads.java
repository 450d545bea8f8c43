package dev.cairn.server.hadoop;

import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.unix.DomainSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether blocks on this machine are read directly from their disks, without the DataNode.
 * Hadoop's client falls back to the DataNode without saying so to the operator.
 */
final class ShortCircuitReads {
  private static final Logger LOG = LoggerFactory.getLogger(ShortCircuitReads.class);
  private static final String ENABLED = "dfs.client.read.shortcircuit";
  private static final String SOCKET = "dfs.domain.socket.path";

  private ShortCircuitReads() {}

  /** Logs the line for a client with {@code settings}. */
  static void log(Configuration settings) {
    Supplier<Optional<String>> library =
        () -> Optional.ofNullable(DomainSocket.getLoadingFailureReason());
    if (settings.getBoolean(ENABLED, false) && obstacle(settings, library).isPresent()) {
      LOG.warn("{}", line(settings, library));
    } else {
      LOG.info("{}", line(settings, library));
    }
  }

  /**
   * Returns the line.
   *
   * @param library returns why Hadoop's native library is not loaded; empty if it is
   */
  static String line(Configuration settings, Supplier<Optional<String>> library) {
    Optional<String> obstacle = obstacle(settings, library);
    return obstacle.isPresent()
        ? "Blocks of HDFS on this machine are read through the DataNode: " + obstacle.get()
        : "Blocks of HDFS on this machine are read from their disks (short-circuit), if the"
            + " DataNode shares them at "
            + settings.get(SOCKET);
  }

  private static Optional<String> obstacle(
      Configuration settings, Supplier<Optional<String>> library) {
    if (!settings.getBoolean(ENABLED, false)) {
      return Optional.of(ENABLED + " is false");
    }
    if (settings.getTrimmed(SOCKET, "").isEmpty()) {
      return Optional.of(ENABLED + " is true, and " + SOCKET + " is not set");
    }
    return library.get().map(reason -> "Hadoop's native library is not loaded (" + reason + ")");
  }
}
