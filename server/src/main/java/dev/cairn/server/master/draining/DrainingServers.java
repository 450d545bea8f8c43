package dev.cairn.server.master.draining;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.remote.OnlineServers;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.store.MasterStore.Change;
import dev.cairn.server.master.store.MasterStore.Section;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The region servers that are draining: they keep the regions that they have and get no others.
 *
 * <p>A server is draining while the znode {@code draining/host,port,startcode} exists. As in HBase,
 * an administrator's request creates and deletes it, or an operator does so by hand; it outlives
 * masters. A server that restarts has another start code, so it is not draining any more. If the
 * site rejects decommissioned hosts, it cannot restart: the mark stays until it is deleted. The
 * master's store has the servers whose regions are to be moved away, too. Owned by the loop.
 */
public final class DrainingServers {
  private static final Logger LOG = LoggerFactory.getLogger(DrainingServers.class);
  private static final String STORE_PREFIX = "cairn/offload/";
  private static final byte[] STORED = {1};

  private final MasterLoop loop;
  private final MasterStore store;
  private final Coordination coordination;
  private final OnlineServers servers;
  private final boolean rejectsHosts;
  private final Function<Collection<ServerName>, Optional<String>> obstacle;
  private final Runnable ended;
  private Set<ServerName> marked = Set.of();

  /** The servers whose regions are moved away, as the store has them. */
  private final Set<ServerName> offloaded = new TreeSet<>();

  /** The marks of earlier lives of live servers that are being removed. */
  private final Set<ServerName> outdated = new TreeSet<>();

  /**
   * Creates it; {@link #update} brings the marks.
   *
   * @param rejectsHosts whether a server may not start on the host of a marked one
   * @param obstacle returns why the regions of servers could not move away if these drain; empty if
   *     they could
   * @param ended called when a server is not draining any more
   * @param state the store's entries by name
   */
  public DrainingServers(
      MasterLoop loop,
      MasterStore store,
      Coordination coordination,
      OnlineServers servers,
      boolean rejectsHosts,
      Function<Collection<ServerName>, Optional<String>> obstacle,
      Runnable ended,
      Collection<MasterStore.Entry> state) {
    this.loop = loop;
    this.store = store;
    this.coordination = coordination;
    this.servers = servers;
    this.rejectsHosts = rejectsHosts;
    this.obstacle = obstacle;
    this.ended = ended;
    for (MasterStore.Entry entry : state) {
      String row = Bytes.utf8(entry.row());
      if (row.startsWith(STORE_PREFIX)) {
        offloaded.add(ServerName.parse(row.substring(STORE_PREFIX.length())));
      }
    }
  }

  /** Tells whether a server is draining. */
  public boolean isDraining(ServerName server) {
    return marked.contains(server);
  }

  /** Returns the live servers that are draining, ordered by name. */
  public List<ServerName> all() {
    return marked.stream().filter(servers::isLive).toList();
  }

  /**
   * Returns the decommissioned servers, ordered by name: those that are draining, and, if the site
   * rejects their hosts, those that have ended.
   */
  public List<ServerName> decommissioned() {
    return rejectsHosts ? marked.stream().sorted().toList() : all();
  }

  /** Returns why a server that starts must not join the cluster; empty if it may. */
  public Optional<String> rejection(ServerName starting) {
    boolean isRejected =
        rejectsHosts
            && marked.stream()
                .filter(one -> !one.equals(starting))
                .anyMatch(one -> one.host().equals(starting.host()));
    return isRejected
        ? Optional.of(
            "Host "
                + starting.host()
                + " exists in the list of decommissioned servers and Master is configured to"
                + " reject decommissioned hosts")
        : Optional.empty();
  }

  /** Returns the live servers whose regions are to be moved away, ordered by name. */
  List<ServerName> offloaded() {
    return offloaded.stream().filter(marked::contains).filter(servers::isLive).toList();
  }

  /** Takes the marks that ZooKeeper has. */
  public void update(ClusterState state) {
    Set<ServerName> before = marked;
    marked = state.draining();
    for (ServerName server : marked) {
      if (!before.contains(server)) {
        LOG.info("{} is draining and gets no regions", server);
      }
    }
    for (ServerName server : before) {
      if (!marked.contains(server)) {
        LOG.info("{} is not draining any more", server);
      }
    }
    if (!marked.containsAll(before)) {
      ended.run();
    }
    List<ServerName> ended = offloaded.stream().filter(one -> !marked.contains(one)).toList();
    if (!ended.isEmpty()) {
      ended.forEach(offloaded::remove);
      write(ended, Optional.empty(), Completion.of(() -> {}, this::notStored));
    }
    marked.stream()
        .filter(server -> !rejectsHosts)
        .filter(servers::isReplaced)
        .filter(server -> !servers.isLive(server))
        .filter(outdated::add)
        .forEach(this::removeOutdated);
  }

  /** Removes the mark of a server that has restarted: it says nothing about its present life. */
  private void removeOutdated(ServerName server) {
    mark(
        List.of(server),
        false,
        Completion.of(
            () -> outdated.remove(server),
            cause -> {
              outdated.remove(server);
              LOG.info("The mark of {} as draining stays for now: {}", server, cause.toString());
            }));
  }

  private void notStored(Throwable cause) {
    // The next master finds the entry without its mark, and removes it.
    LOG.warn("The master's store keeps a server that is not draining: {}", cause.toString());
  }

  /**
   * Marks servers as draining; completes once that survives a kill.
   *
   * @param offload whether their regions are to be moved away
   * @throws DoNotRetryIOException if a server is not alive, or if no server would be left that may
   *     have the regions. Nothing has changed then
   */
  public void drain(Collection<ServerName> wanted, boolean offload, Completion completion)
      throws DoNotRetryIOException {
    for (ServerName server : wanted) {
      if (!servers.isLive(server)) {
        throw new DoNotRetryIOException("No region server " + server + " is alive");
      }
    }
    if (offload) {
      requireOther(wanted);
    }
    mark(
        wanted,
        true,
        completion.then(
            () -> {
              if (offload) {
                offloaded.addAll(wanted);
                write(wanted, Optional.of(STORED), completion);
              } else {
                completion.done();
              }
            }));
  }

  private void requireOther(Collection<ServerName> wanted) throws DoNotRetryIOException {
    List<ServerName> others =
        servers.ready().stream().filter(server -> !wanted.contains(server)).toList();
    if (others.stream().allMatch(this::isDraining)) {
      throw noneLeft(
          wanted,
          others.stream().map(server -> server + " is draining").collect(Collectors.joining("; ")));
    }
    Optional<String> refused = obstacle.apply(wanted);
    if (refused.isPresent()) {
      throw noneLeft(wanted, refused.get());
    }
  }

  private static DoNotRetryIOException noneLeft(Collection<ServerName> wanted, String refused) {
    return new DoNotRetryIOException(
        "No region server is left that may have the regions of "
            + wanted.stream().map(ServerName::toString).sorted().toList()
            + (refused.isEmpty() ? "" : ": " + refused)
            + ". Nothing was changed");
  }

  /** Ends the draining of a server; completes once that survives a kill. */
  public void restore(ServerName server, Completion completion) {
    mark(List.of(server), false, completion);
  }

  private void mark(Collection<ServerName> wanted, boolean draining, Completion completion) {
    List<ServerName> list = List.copyOf(wanted);
    loop.perform(
        Lane.COORDINATION,
        () -> {
          for (ServerName server : list) {
            coordination.markDraining(server, draining);
          }
        },
        completion.then(
            () -> {
              update(coordination.state());
              completion.done();
            }));
  }

  private void write(
      Collection<ServerName> changed, Optional<byte[]> value, Completion completion) {
    List<Change> changes =
        changed.stream()
            .map(server -> new Change(Section.STATE, Bytes.utf8(STORE_PREFIX + server), value))
            .toList();
    loop.perform(Lane.STORE, () -> store.apply(changes), completion);
  }
}
