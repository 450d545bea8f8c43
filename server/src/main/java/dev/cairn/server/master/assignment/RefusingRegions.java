package dev.cairn.server.master.assignment;

import dev.cairn.server.catalog.OpeningProblem;
import dev.cairn.server.catalog.ServerName;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regions that refuse every call according to the periodic reports of their servers. A master
 * that did not order their opening learns of them in this way. Owned by the loop.
 */
final class RefusingRegions {
  private static final Logger LOG = LoggerFactory.getLogger(RefusingRegions.class);

  private final RegionStates nodes;

  /** Those whose problem comes from a report, and may end with a later one. */
  private final Set<RegionStateNode> reported = new HashSet<>();

  RefusingRegions(RegionStates nodes) {
    this.nodes = nodes;
  }

  /**
   * Handles a report.
   *
   * @param reasons the reasons of all such regions of the server, by encoded name
   */
  void reported(ServerName server, Map<String, String> reasons) {
    reported.removeIf(node -> hasEnded(node, server, reasons));
    reasons.forEach(
        (name, reason) ->
            nodes
                .find(name)
                .filter(node -> node.state == State.OPEN && node.isAt(server))
                .filter(node -> node.problem.isEmpty())
                .ifPresent(
                    node -> {
                      LOG.warn("{} at {} refuses every call: {}", node.region, server, reason);
                      node.problem = Optional.of(new OpeningProblem(reason, false));
                      reported.add(node);
                    }));
  }

  private boolean hasEnded(RegionStateNode node, ServerName server, Map<String, String> reasons) {
    boolean isStill = node.isRefusing() && nodes.contains(node);
    if (isStill && node.isAt(server) && !reasons.containsKey(node.region.encodedName())) {
      node.problem = Optional.empty();
      return true;
    }
    return !isStill;
  }
}
