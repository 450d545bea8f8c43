package dev.cairn.server.master.page;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.assignment.RegionStateNode;
import java.util.Optional;

/** Explains why a region has not reached its goal yet. Called by the loop's owner. */
final class TransitionReason {
  private TransitionReason() {}

  static String of(ActiveMaster active, RegionStateNode node) {
    String goal =
        node.target().isPresent()
            ? "Target: " + node.target().get().hostAndPort() + "."
            : node.isWantedOpen() ? "Target: open." : "Target: closed.";
    if (node.isRefusing()) {
      return goal + " Its server refuses every call: " + node.problem().get() + ".";
    }
    String reason = node.failures() == 0 ? "" : node.problem().orElse("");
    return goal
        + " "
        + wait(active, node)
        + (reason.isEmpty() ? "" : " The last attempt failed: " + reason + ".");
  }

  private static String wait(ActiveMaster active, RegionStateNode node) {
    Optional<ServerName> server = node.server();
    if (server.isPresent() && active.members().isRecovering(server.get(), node.region())) {
      return "The log of the dead server " + server.get().hostAndPort() + " is being recovered.";
    }
    if (node.isPublishing()) {
      return "hbase:meta is being written.";
    }
    if (node.order().isPresent() && server.isPresent()) {
      return switch (node.state()) {
        case OPENING -> server.get().hostAndPort() + " opens it.";
        case CLOSING -> server.get().hostAndPort() + " closes it.";
        default -> server.get().hostAndPort() + " has a request.";
      };
    }
    if (active.servers().ready().isEmpty()) {
      return "No region server is ready.";
    }
    if (node.isRefused()) {
      return node.placed().get().reason() + ".";
    }
    if (node.failures() > 0) {
      return node.problem().isPresent()
          ? "The next attempt follows after a pause."
          : "The last attempt failed; the next one follows after a pause.";
    }
    return node.isHeld() ? "A procedure works on its files." : "The next step is being prepared.";
  }
}
