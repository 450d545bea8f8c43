package dev.cairn.server.coordination;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.catalog.ServerName;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;

/**
 * One server's session with the cluster's shared state. Registrations of a session go when the
 * session ends, orderly or not; all other sessions are notified.
 *
 * <p>Thread-safe. Methods that throw {@link IOException} wait for the network.
 */
public interface Coordination extends Closeable {
  /** Receives changes. Called on one thread of the session, which it must not block. */
  interface Listener {
    /** The state is now {@code state}. Several changes may come as one. */
    void changed(ClusterState state);

    /**
     * ZooKeeper has ended the session, and with it all that it registered: others believe this
     * server dead, so it must stop. While ZooKeeper does not answer, the session may live, so this
     * is not called. Called at most once, and not after {@link Coordination#close}.
     */
    void sessionLost(String reason);
  }

  /** Returns the newest state that this session knows. Never waits. */
  ClusterState state();

  /**
   * Adds a listener and reports the present state to it. A listener that is added after the session
   * was lost is told so.
   */
  void listen(Listener listener);

  /**
   * Registers {@code self} as a master. It becomes the active one at once or when all masters
   * before it have gone; {@link ClusterState#activeMaster} shows it. Removes a registration that an
   * earlier life of the same address left.
   *
   * @param infoPort the port of its web page, 0 if it has none
   */
  void registerMaster(ServerName self, int infoPort) throws IOException;

  /**
   * Reads the registered region servers: all that registered before this call and whose sessions
   * are not over. {@link #state} may not know of all of them yet.
   */
  Set<ServerName> readRegionServers() throws IOException;

  /**
   * Reads the identity of ZooKeeper's data: a text that differs once the directory of the region
   * servers was deleted and created again, or ZooKeeper has lost its data. A lost connection, a new
   * session, or a restart of ZooKeeper does not change it. Creates the directory if it is missing.
   */
  String readDataId() throws IOException;

  /** Returns the lease of the session. */
  SessionLease lease();

  /** Returns the time after which ZooKeeper ends a silent session. */
  default Duration sessionTimeout() {
    return lease().timeout();
  }

  /**
   * Asks ZooKeeper to renew the lease. Returns at once; the answer renews it. The lease is not
   * renewed any more once the registration of this session's region server is removed, because the
   * master has given that server up.
   */
  void renewLease();

  /**
   * Reads the active master, as of a time during the call; waits for the network. {@link #state}
   * may lag behind.
   */
  Optional<ServerName> readActiveMaster() throws IOException;

  /** Registers {@code self} as a region server that takes regions. */
  void registerRegionServer(ServerName self, int infoPort) throws IOException;

  /**
   * Ends the registration of a server, this session's or that of one known to be dead. Returns
   * whether it was registered.
   */
  boolean unregisterRegionServer(ServerName server) throws IOException;

  /**
   * Ends the registration of a master whose process has ended. Nothing happens if another master
   * leads.
   */
  void unregisterMaster(ServerName master) throws IOException;

  /**
   * Marks a region server as draining, or removes the mark. Returns once {@link #state} shows it.
   * The mark outlives all sessions.
   */
  void markDraining(ServerName server, boolean draining) throws IOException;

  /** Publishes the server of {@code hbase:meta}. For the active master only. */
  void publishMetaLocation(ServerName server) throws IOException;

  /**
   * Publishes the server of a replica of {@code hbase:meta}; removes the replica if empty. For the
   * active master only.
   *
   * @param id the number of the replica, at least 1
   */
  void publishMetaReplica(int id, Optional<ServerName> server) throws IOException;

  /** Publishes the id of the cluster. For the active master only. */
  void publishClusterId(String clusterId) throws IOException;

  /**
   * Publishes that the cluster is up, or that all servers must stop. For the active master only.
   */
  void publishClusterUp(boolean up) throws IOException;

  /**
   * Publishes the states of all existing tables for clients before 2.0, and removes those of other
   * tables. For the active master only.
   */
  void publishTableStates(Map<TableName, TableState.State> states) throws IOException;

  /** Publishes the state of one table, or removes it if empty. For the active master only. */
  void publishTableState(TableName table, Optional<TableState.State> state) throws IOException;

  /** Reads the last published state of a table; empty if there is none, or it is lost. */
  Optional<TableState.State> readTableState(TableName table) throws IOException;

  /**
   * Publishes the groups of region servers, and removes other groups. For the active master only.
   */
  void publishGroups(Collection<ServerGroup> groups) throws IOException;

  /** Reads the last published groups. Those that cannot be understood are missing. */
  List<ServerGroup> readGroups() throws IOException;

  /** Ends the session and all that it registered. Closing twice does nothing. */
  @Override
  void close();
}
