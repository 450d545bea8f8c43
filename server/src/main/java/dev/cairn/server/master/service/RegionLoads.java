package dev.cairn.server.master.service;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.remote.RegionServerCalls;
import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the region servers for the current loads of their regions. A server's periodic report may be
 * seconds old, and may lack a region that was just opened or a compaction that just ended. If a
 * server does not respond, its last report is used.
 */
final class RegionLoads {
  private static final Logger LOG = LoggerFactory.getLogger(RegionLoads.class);

  private RegionLoads() {}

  private record Servers(List<ServerName> names, RegionServerCalls calls) {}

  /**
   * Answers a question with the current loads, once the master is initialized. Blocks the calling
   * thread until the servers respond.
   */
  static <T> T ask(MasterGate gate, RpcCall call, MasterGate.Question<T> question)
      throws IOException {
    Servers servers =
        gate.ask(
            call,
            master ->
                new Servers(List.copyOf(master.servers().all()), master.environment().calls()));
    Map<ServerName, List<RegionLoad>> loads = new HashMap<>();
    for (ServerName server : servers.names()) {
      try {
        loads.put(server, servers.calls().loads(server));
      } catch (IOException e) {
        LOG.debug("{} does not report the loads of its regions", server, e);
      }
    }
    return gate.ask(
        call,
        master -> {
          loads.forEach(master.servers()::refresh);
          return question.answer(master);
        });
  }
}
