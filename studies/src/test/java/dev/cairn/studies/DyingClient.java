package dev.cairn.studies;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;

/**
 * A client that dies while it writes: after some calls that write, each further one fails before it
 * is sent. One thread.
 */
public final class DyingClient {
  private final Connection connection;
  private int writesLeft;

  /**
   * Creates a client.
   *
   * @param connection through which it writes; stays open
   * @param writes that it lives
   */
  public DyingClient(Connection connection, int writes) {
    this.connection = WatchedWrites.connection(connection, this::beforeWrite);
    this.writesLeft = writes;
  }

  private void beforeWrite() throws IOException {
    writesLeft--;
    if (isDead()) {
      throw new IOException("The client is dead");
    }
  }

  /** Returns its connection. */
  public Connection connection() {
    return connection;
  }

  /** Returns whether it has died. */
  public boolean isDead() {
    return writesLeft < 0;
  }
}
