package dev.cairn.server.master;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.MasterLoop.Completion;
import dev.cairn.server.master.MasterLoop.Lane;
import dev.cairn.server.master.MasterStore.Change;
import dev.cairn.server.master.MasterStore.Section;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Keeps, in the master's store, the list of region servers that may have regions, for HBase's
 * master: if it starts on this folder, it recovers every server on the list, and thereby opens the
 * regions that {@code hbase:meta} says are there. This server goes by {@code hbase:meta} and the
 * logs alone.
 *
 * <p>What HBase's own master entered stays until HBase's master has seen it: its ZooKeeper, which
 * may be another one than ours, can still say that {@code hbase:meta} is open on such a server.
 * Owned by the loop.
 */
final class ServerList {
  private static final byte[] ONLINE = Bytes.utf8("ONLINE");
  private static final byte[] OWN = {1};

  private final MasterLoop loop;
  private final MasterStore store;
  private final Set<ServerName> own = new TreeSet<>();

  /**
   * Creates the list.
   *
   * @param stored which servers this server's masters entered before
   */
  ServerList(MasterLoop loop, MasterStore store, Collection<ServerName> stored) {
    this.loop = loop;
    this.store = store;
    this.own.addAll(stored);
  }

  /** Enters servers; completes once that survives a kill. */
  void enter(Collection<ServerName> servers, Completion completion) {
    List<Change> changes = new ArrayList<>();
    for (ServerName server : servers) {
      changes.add(new Change(Section.SERVER, row(server), Optional.of(ONLINE)));
      changes.add(new Change(Section.OWN_SERVER, row(server), Optional.of(OWN)));
    }
    own.addAll(servers);
    write(changes, completion);
  }

  /** Removes the servers that this server's masters entered and that have nothing any more. */
  void removeIf(Predicate<ServerName> over, Completion completion) {
    List<ServerName> gone = own.stream().filter(over).toList();
    List<Change> changes = new ArrayList<>();
    for (ServerName server : gone) {
      changes.add(new Change(Section.SERVER, row(server), Optional.empty()));
      changes.add(new Change(Section.OWN_SERVER, row(server), Optional.empty()));
    }
    gone.forEach(own::remove);
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
