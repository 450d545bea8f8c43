package dev.cairn.server.process;

import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.regionserver.HostedRegion;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A server of a process. Its port is bound. What it opens is closed by {@link Host#shutdown}, and
 * if it ends by itself, it completes {@link Host#failed}.
 */
interface HostedServer {
  /** Returns its name and role. */
  BoundServer bound();

  /**
   * Serves and registers. Returns at once. Called once.
   *
   * @param coordination its own session
   * @param infoPort the port of the web page, 0 if there is none
   * @return done when it works with the other servers of the cluster
   */
  CompletableFuture<Void> start(Coordination coordination, int infoPort) throws IOException;

  /** Ends its work in order, which may need the servers that started later. */
  void stop() throws IOException;

  /** Ends its work as a kill would, also while it is being stopped. */
  void abort(String reason);

  /** Returns the regions that are open in it. */
  Collection<HostedRegion> regions();

  /** Returns why tables or regions are refused, one text each. */
  List<String> refusedTables() throws IOException;
}
