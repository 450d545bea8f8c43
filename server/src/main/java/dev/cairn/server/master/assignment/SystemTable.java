package dev.cairn.server.master.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Lane;
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
  private final Assignments assignments;
  private final TableName name;

  /**
   * Creates a view of the table.
   *
   * @param lane the threads that read and write the table
   */
  public SystemTable(
      MasterLoop loop, Lane lane, ServerCalls calls, Assignments assignments, TableName name) {
    this.loop = loop;
    this.lane = lane;
    this.calls = calls;
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
    loop.perform(lane, () -> work.run(region, client), done, failed);
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
