package dev.cairn.server.hadoop;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RPC;

/**
 * A connection to the NameNode whose calls fail soon if it does not answer. A call that fails this
 * way closes the connection; the next call opens another one. So a caller that tries again gets an
 * answer soon after a broken network works again. Thread-safe.
 *
 * @param calls the NameNode; the calls are not repeated
 */
record PromptNameNode(ClientProtocol calls) implements Closeable {
  /** Within this time, a NameNode's machine accepts a connection even if the NameNode is busy. */
  private static final Duration CONNECT = Duration.ofMillis(500);

  private static final Duration CALL = Duration.ofSeconds(2);

  /** The number of times that a call tries another NameNode of a name service. */
  private static final int FAILOVERS = 4;

  private static final Duration FAILOVER_PAUSE_MAX = Duration.ofMillis(500);

  /** Prepares a connection; connects with the first call. */
  static PromptNameNode connect(DistributedFileSystem files) throws IOException {
    Configuration settings = new Configuration(files.getConf());
    settings.setInt("ipc.client.connect.timeout", (int) CONNECT.toMillis());
    settings.setInt("ipc.client.connect.max.retries", 0);
    settings.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    // Differs from the limit of other connections, so that no other call shares this one.
    settings.setInt("ipc.client.rpc-timeout.ms", (int) CALL.toMillis());
    settings.setInt("dfs.client.failover.max.attempts", FAILOVERS);
    settings.setInt("dfs.client.failover.sleep.max.millis", (int) FAILOVER_PAUSE_MAX.toMillis());
    return new PromptNameNode(
        NameNodeProxiesClient.createProxyWithClientProtocol(
                settings, files.getUri(), new AtomicBoolean())
            .getProxy());
  }

  /** Tells whether a call failed because the NameNode has not answered. */
  static boolean isUnanswered(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException
          || cause instanceof SocketException
          || cause instanceof EOFException) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    RPC.stopProxy(calls);
  }
}
