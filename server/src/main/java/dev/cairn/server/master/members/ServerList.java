package dev.cairn.server.master.members;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.MetaFormat;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.store.MasterStore.Change;
import dev.cairn.server.master.store.MasterStore.Section;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Keeps, in the master's store, what HBase's master needs to know if it is the next one to start on
 * this folder: where {@code hbase:meta} is open, and the list of region servers that may have
 * regions. It recovers every server on the list, and thereby opens the regions that {@code
 * hbase:meta} says are there. This server goes by {@code hbase:meta} and the logs alone, so that
 * what HBase's own master wrote here is of no use to it. Also keeps the servers that were given up,
 * and the identity of ZooKeeper's data. Owned by the loop.
 */
public final class ServerList {
  private static final byte[] ONLINE = Bytes.utf8("ONLINE");
  private static final byte[] CRASHED = Bytes.utf8("CRASHED");
  private static final byte[] DATA_ID_ROW = Bytes.utf8("cairn/zookeeper-data");

  private final MasterLoop loop;
  private final MasterStore store;
  private final Set<ServerName> servers = new TreeSet<>();
  private final Set<ServerName> givenUp = new TreeSet<>();
  private Optional<String> dataId = Optional.empty();

  /**
   * Creates the list.
   *
   * @param stored the store's entries of region servers
   * @param state the store's entries by name
   */
  public ServerList(
      MasterLoop loop,
      MasterStore store,
      Collection<MasterStore.Entry> stored,
      Collection<MasterStore.Entry> state) {
    this.loop = loop;
    this.store = store;
    for (MasterStore.Entry entry : stored) {
      ServerName server = ServerName.parse(Bytes.utf8(entry.row()));
      servers.add(server);
      if (Arrays.equals(entry.value(), CRASHED)) {
        givenUp.add(server);
      }
    }
    for (MasterStore.Entry entry : state) {
      if (Arrays.equals(entry.row(), DATA_ID_ROW)) {
        dataId = Optional.of(Bytes.utf8(entry.value()));
      }
    }
  }

  /**
   * Returns the identity of ZooKeeper's data in which the servers on the list are registered; empty
   * if no master has stored it.
   */
  Optional<String> dataId() {
    return dataId;
  }

  /** Replaces {@link #dataId}; completes once that survives a kill. */
  void setDataId(String id, Completion completion) {
    dataId = Optional.of(id);
    write(List.of(new Change(Section.STATE, DATA_ID_ROW, Optional.of(Bytes.utf8(id)))), completion);
  }

  /** Returns the servers on the list. */
  Set<ServerName> all() {
    return Set.copyOf(servers);
  }

  /** Returns the servers that were given up while their sessions lived. */
  Set<ServerName> givenUp() {
    return Set.copyOf(givenUp);
  }

  /** Records that a server is given up while its session lives; completes as {@link #enter}. */
  void giveUp(ServerName server, Completion completion) {
    servers.add(server);
    givenUp.add(server);
    write(List.of(new Change(Section.SERVER, row(server), Optional.of(CRASHED))), completion);
  }

  /** Enters servers; completes once that survives a kill. */
  void enter(Collection<ServerName> came, Completion completion) {
    servers.addAll(came);
    write(
        came.stream()
            .map(server -> new Change(Section.SERVER, row(server), Optional.of(ONLINE)))
            .toList(),
        completion);
  }

  /**
   * Removes the servers that {@code over} accepts, because they have no regions and logs any more.
   */
  void removeIf(Predicate<ServerName> over, Completion completion) {
    List<ServerName> gone = servers.stream().filter(over).toList();
    gone.forEach(servers::remove);
    gone.forEach(givenUp::remove);
    write(
        gone.stream()
            .map(server -> new Change(Section.SERVER, row(server), Optional.empty()))
            .toList(),
        completion);
  }

  /** Forgets where a replica of {@code hbase:meta} was open. */
  public void metaReplicaRemoved(int id, Completion completion) {
    write(
        MetaFormat.replicaColumns(id).stream()
            .map(column -> new Change(Section.META, column, Optional.empty()))
            .toList(),
        completion);
  }

  /** Records where {@code hbase:meta}, or a replica of it, is open. */
  public void metaOpened(CatalogChange.RegionOpened opened, Completion completion) {
    List<Change> changes = new ArrayList<>();
    for (MetaFormat.InfoColumn column : MetaFormat.columns(opened)) {
      changes.add(new Change(Section.META, column.qualifier(), Optional.of(column.value())));
    }
    write(changes, completion);
  }

  private void write(List<Change> changes, Completion completion) {
    if (changes.isEmpty()) {
      completion.done();
    } else {
      loop.perform(Lane.STORE, () -> store.apply(changes), completion);
    }
  }

  private static byte[] row(ServerName server) {
    return Bytes.utf8(server.toString());
  }
}
