package dev.cairn.server.master.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.remote.RegionServerCalls;
import dev.cairn.server.master.remote.ServerCalls;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** One of the system's own tables, which has one region. Owned by the loop. */
public final class SystemTable {
  private final MasterLoop loop;
  private final Lane lane;
  private final ServerCalls calls;
  private final RegionServerCalls orders;
  private final Assignments assignments;
  private final TableName name;

  /** The server that last received this master's epoch. */
  private volatile Optional<ServerName> announcedTo = Optional.empty();

  /**
   * Creates a view of the table.
   *
   * @param lane the threads that read and write the table
   * @param orders announce this master to the table's server before the first read, so that no
   *     write of an earlier master follows it
   */
  public SystemTable(
      MasterLoop loop,
      Lane lane,
      ServerCalls calls,
      RegionServerCalls orders,
      Assignments assignments,
      TableName name) {
    this.loop = loop;
    this.lane = lane;
    this.calls = calls;
    this.orders = orders;
    this.assignments = assignments;
    this.name = name;
  }

  /** A read or a write of the table. */
  @FunctionalInterface
  public interface Work<T> {
    /** Reads or writes outside the loop; may wait. */
    T run(RegionInfo region, NamespaceTable.Client client) throws IOException;
  }

  /** Tells whether the table exists and its goal is to be open. */
  public boolean isWantedOpen() {
    return region().filter(RegionStateNode::isWantedOpen).isPresent();
  }

  /** Runs {@code work} on the server that has the table's region open; fails if no server has. */
  public <T> void perform(Work<T> work, Consumer<T> done, Consumer<IOException> failed) {
    Optional<RegionStateNode> node = region();
    Optional<ServerName> server = node.flatMap(RegionStateNode::openServer);
    if (server.isEmpty()) {
      failed.accept(new NotServingRegionException(name + " is not open anywhere"));
      return;
    }
    RegionInfo region = node.get().region();
    Client client = new Client(calls, server.get());
    loop.perform(
        lane,
        () -> {
          announce(client.server());
          return work.run(region, client);
        },
        done,
        failed);
  }

  private void announce(ServerName server) throws IOException {
    if (!announcedTo.equals(Optional.of(server))) {
      orders.announce(server);
      announcedTo = Optional.of(server);
    }
  }

  private Optional<RegionStateNode> region() {
    return assignments.of(name).stream().findFirst();
  }

  private record Client(ServerCalls calls, ServerName server) implements NamespaceTable.Client {
    @Override
    public <R extends Message> R call(String method, Message request, R responsePrototype)
        throws IOException {
      return calls.call(server, "ClientService", method, request, responsePrototype);
    }
  }
}
