package dev.cairn.server.regionserver.membership;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.rpc.service.AnswerCheck;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;

/**
 * Lets the server answer only while its regions cannot be open elsewhere. A server that was paused
 * would otherwise answer reads from its old memory. Called after the answer is complete, so that
 * the regions were here while it was made. An aborted server answers nothing.
 *
 * @param state names the server
 * @param isOver tells whether the server's session may be over
 */
public record ServingLease(ServerState state, BooleanSupplier isOver) implements AnswerCheck {
  @Override
  public void check() throws IOException {
    if (state.isAborted()) {
      state.checkServing();
    }
    if (isOver.getAsBoolean()) {
      throw new RegionServerStoppedException(over(state.serverName()));
    }
  }

  /** Returns the message of a server whose lease is over. */
  public static String over(ServerName server) {
    return "Server "
        + server
        + " has not heard from ZooKeeper for so long that its regions may be elsewhere";
  }
}
