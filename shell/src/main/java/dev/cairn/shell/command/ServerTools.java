package dev.cairn.shell.command;

import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.util.Bytes;

/** The tools that work on servers. */
final class ServerTools {
  private ServerTools() {}

  static void declare(Declarations tools) {
    tools
        .add(
            "list_liveservers",
            0,
            0,
            "Lists the servers that live.",
            (session, arguments) -> list(session, "SERVERNAME", session.admin().getRegionServers()),
            "list_liveservers")
        .add(
            "list_deadservers",
            0,
            0,
            "Lists the servers that the master has seen die.",
            (session, arguments) -> list(session, "SERVERNAME", session.admin().listDeadServers()),
            "list_deadservers")
        .add(
            "list_unknownservers",
            0,
            0,
            "Lists the servers that hbase:meta names and the master does not know.",
            (session, arguments) ->
                list(session, "SERVERNAME", session.admin().listUnknownServers()),
            "list_unknownservers")
        .add(
            "clear_deadservers",
            0,
            Command.ANY,
            "Forgets dead servers, or those that are named; returns those that remain.",
            ServerTools::clearDead,
            "clear_deadservers",
            "clear_deadservers 'host1,16020,1700000000000'")
        .add(
            "list_decommissioned_regionservers",
            0,
            0,
            "Lists the decommissioned servers, which get no regions.",
            (session, arguments) ->
                list(
                    session,
                    "DECOMMISSIONED REGION SERVERS",
                    session.admin().listDecommissionedRegionServers()),
            "list_decommissioned_regionservers")
        .add(
            "decommission_regionservers",
            1,
            2,
            "Stops giving regions to servers; true as the second argument moves their present"
                + " regions away.",
            (session, arguments) -> {
              session
                  .admin()
                  .decommissionRegionServers(
                      live(session, Conversions.list(arguments.get(0))),
                      arguments.find(1).isPresent()
                          && arguments.bool(1, "Whether to move regions"));
              return Value.NIL;
            },
            "decommission_regionservers 'host1'",
            "decommission_regionservers ['host1,16020,1700000000000', 'host2,16020'], true")
        .add(
            "recommission_regionserver",
            1,
            2,
            "Gives a server regions again, first those that are named.",
            (session, arguments) -> {
              session
                  .admin()
                  .recommissionRegionServer(
                      live(session, List.of(arguments.get(0))).get(0),
                      arguments.names(1, "A region").stream().map(Bytes::toBytesBinary).toList());
              return Value.NIL;
            },
            "recommission_regionserver 'host1'",
            "recommission_regionserver 'host1,16020,1700000000000', ['ENCODED_REGION_NAME']")
        .add(
            "compact_rs",
            1,
            2,
            "Compacts all regions of a server; true as the second argument makes it major.",
            ServerTools::compact,
            "compact_rs 'host1,16020,1700000000000'",
            "compact_rs 'host1,16020,1700000000000', true")
        .add(
            "wal_roll",
            1,
            1,
            "Begins a new write-ahead log on a server.",
            (session, arguments) -> {
              session.admin().rollWALWriter(live(session, arguments.letters(0, "The server")));
              return Value.NIL;
            },
            "wal_roll 'host1,16020,1700000000000'")
        .alias("hlog_roll")
        .add(
            "clear_block_cache",
            1,
            1,
            "Drops the blocks of a table from the caches.",
            (session, arguments) -> {
              session
                  .output()
                  .line(session.admin().clearBlockCache(Names.table(arguments)).toString());
              return Value.NIL;
            },
            "clear_block_cache 't1'")
        .add(
            "clear_compaction_queues",
            1,
            2,
            "Clears the compaction queues of a server: 'long' and 'short', or only those named.",
            ServerTools::clearQueues,
            "clear_compaction_queues 'host1,16020,1700000000000'",
            "clear_compaction_queues 'host1,16020,1700000000000', ['long']")
        .add(
            "flush_master_store",
            0,
            0,
            "Writes the memory of the master's own region to files.",
            (session, arguments) -> {
              session.admin().flushMasterStore();
              return Value.NIL;
            },
            "flush_master_store")
        .add(
            "stop_master",
            0,
            0,
            "Stops the active master.",
            (session, arguments) -> {
              session.admin().stopMaster();
              return Value.NIL;
            },
            "stop_master")
        .add(
            "stop_regionserver",
            1,
            1,
            "Stops a region server, which is named by host and port.",
            (session, arguments) -> {
              session.admin().stopRegionServer(arguments.letters(0, "The server"));
              return Value.NIL;
            },
            "stop_regionserver 'host1:16020'")
        .add(
            "hbck_chore_run",
            0,
            0,
            "Makes the master compare hbase:meta with servers and files; tells whether it ran.",
            ServerTools::hbckChore,
            "hbck_chore_run");
  }

  private static Value list(Session session, String head, Collection<ServerName> servers) {
    Rows rows = session.output().table(List.of(head));
    new TreeSet<>(servers).forEach(server -> rows.name(server.toString()));
    session.output().footer(servers.size());
    return Value.NIL;
  }

  private static List<ServerName> servers(List<Value> names) {
    return names.stream().map(name -> Names.server(Conversions.letters(name, "A server"))).toList();
  }

  /**
   * Returns the live servers with the names, which may lack the start code and the port. A complete
   * name stands for itself.
   */
  private static List<ServerName> live(Session session, List<Value> names) throws IOException {
    List<ServerName> found = new ArrayList<>();
    for (Value value : names) {
      String name = Conversions.letters(value, "A server");
      if (Target.SERVER.matcher(name).matches()) {
        found.add(ServerName.valueOf(name));
        continue;
      }
      List<ServerName> matching =
          session.admin().getRegionServers().stream()
              .filter(
                  server ->
                      name.equals(server.getHostname())
                          || name.equals(server.getHostname() + "," + server.getPort())
                          || name.equals(server.getHostname() + ":" + server.getPort()))
              .toList();
      if (matching.isEmpty()) {
        throw new ShellException("No live region server matches " + name);
      }
      found.addAll(matching);
    }
    return found;
  }

  private static Value clearDead(Session session, Arguments arguments) throws IOException {
    List<ServerName> servers =
        arguments.size() == 0 ? session.admin().listDeadServers() : servers(arguments.flat(0));
    List<ServerName> left = session.admin().clearDeadServers(servers);
    session.output().line(Boolean.toString(left.isEmpty()));
    return Value.texts(left.stream().map(ServerName::toString).toList());
  }

  /** Returns the live server of a name, which may lack the start code. */
  private static ServerName live(Session session, String name) throws IOException {
    return session.admin().getRegionServers().stream()
        .filter(
            server -> server.toString().equals(name) || server.toString().startsWith(name + ","))
        .findFirst()
        .orElseThrow(() -> new ShellException("No server " + name + " lives; status names them"));
  }

  private static Value compact(Session session, Arguments arguments) throws IOException {
    ServerName server = live(session, arguments.letters(0, "The server"));
    if (arguments.find(1).isPresent() && arguments.bool(1, "Whether it is major")) {
      session.admin().majorCompactRegionServer(server);
    } else {
      session.admin().compactRegionServer(server);
    }
    return Value.NIL;
  }

  private static Value clearQueues(Session session, Arguments arguments) throws IOException {
    List<String> queues = arguments.names(1, "A queue");
    try {
      session
          .admin()
          .clearCompactionQueues(
              Names.server(arguments.letters(0, "The server")),
              queues.isEmpty() ? Set.of("long", "short") : Set.copyOf(queues));
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("Interrupted").initCause(e);
    }
    return Value.NIL;
  }

  private static Value hbckChore(Session session, Arguments arguments) throws IOException {
    try (Hbck hbck = ((ClusterConnection) session.connection()).getHbck()) {
      return Value.of(hbck.runHbckChore());
    }
  }
}
