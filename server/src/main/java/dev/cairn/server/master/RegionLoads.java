package dev.cairn.server.master;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions about the loads of regions from what their servers say at that moment. A
 * server's regular report may be seconds old: it does not have a region that was just opened, or a
 * compaction that has just ended. A server that does not answer is shown as it reported last.
 */
final class RegionLoads {
  private static final Logger LOG = LoggerFactory.getLogger(RegionLoads.class);

  private RegionLoads() {}

  private record Servers(List<ServerName> names, RegionServerCalls calls) {}

  /** Answers a question of an initialized master; the caller's thread waits for the servers. */
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
        LOG.debug("{} does not say how its regions do", server, e);
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
