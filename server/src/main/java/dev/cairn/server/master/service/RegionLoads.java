package dev.cairn.server.master.service;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.remote.RegionServerCalls;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the region servers for the current loads of their regions, all at the same time. A server's
 * periodic report may be seconds old, and may lack a region that was just opened or a compaction
 * that just ended. If a server does not respond, its last report is used.
 */
final class RegionLoads {
  private static final Logger LOG = LoggerFactory.getLogger(RegionLoads.class);

  /** The most time by which a server that hangs delays an answer. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private RegionLoads() {}

  /**
   * Answers a question with the current loads, once the master is initialized. Blocks the calling
   * thread until the servers respond, but not longer than a second.
   */
  static <T> T ask(MasterGate gate, RpcCall call, MasterGate.Question<T> question)
      throws IOException {
    return gate.<T>request(
        call, (master, future) -> begin(master, () -> answer(master, question, future)));
  }

  private static void begin(ActiveMaster master, Runnable answer) {
    MasterLoop loop = master.procedureContext().loop();
    RegionServerCalls calls = master.procedureContext().calls();
    List<ServerName> servers = List.copyOf(master.servers().all());
    if (servers.isEmpty()) {
      answer.run();
      return;
    }
    int[] left = {servers.size()};
    Runnable heard =
        () -> {
          if (--left[0] == 0) {
            answer.run();
          }
        };
    for (ServerName server : servers) {
      loop.perform(
          Lane.requests(server),
          () -> calls.loads(server),
          loads -> {
            master.servers().refresh(server, loads);
            heard.run();
          },
          cause -> {
            LOG.debug("{} does not report the loads of its regions", server, cause);
            heard.run();
          });
    }
    loop.after(PATIENCE, answer);
  }

  private static <T> void answer(
      ActiveMaster master, MasterGate.Question<T> question, CompletableFuture<T> future) {
    if (future.isDone()) {
      return;
    }
    try {
      future.complete(question.answer(master));
    } catch (IOException | RuntimeException e) {
      future.completeExceptionally(e);
    }
  }
}
