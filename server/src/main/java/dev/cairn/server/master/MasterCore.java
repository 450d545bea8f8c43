package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.SystemTable;
import dev.cairn.server.master.chore.Switches;
import dev.cairn.server.master.ddl.RegionIds;
import dev.cairn.server.master.draining.DrainingRule;
import dev.cairn.server.master.draining.DrainingServers;
import dev.cairn.server.master.draining.OffloadCheck;
import dev.cairn.server.master.group.GroupRule;
import dev.cairn.server.master.group.ServerGroups;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.members.ServerList;
import dev.cairn.server.master.members.ServerManager;
import dev.cairn.server.master.meta.RegionStateStore;
import dev.cairn.server.master.meta.TableStateMirror;
import dev.cairn.server.master.placement.PlacementRule;
import dev.cairn.server.master.placement.RulePlacement;
import dev.cairn.server.master.procedure.ProcedureExecutor;
import dev.cairn.server.master.procedure.UnstoredProcedures;
import dev.cairn.server.master.remote.LiveServerCalls;
import dev.cairn.server.master.remote.OnlineServers;
import dev.cairn.server.master.remote.RegionServerCalls;
import dev.cairn.server.master.remote.RpcRegionServerCalls;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.table.Tables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The parts of the active master that all others use: tables, regions, servers, procedures, and the
 * calls to region servers. Owned by the loop.
 */
final class MasterCore {
  final MasterLoop loop;
  final MasterContext context;
  final MasterStore store;
  final long epoch;
  final OnlineServers servers = new OnlineServers();
  final LiveServerCalls serverCalls;
  final RegionServerCalls calls;
  final TableFiles files;
  final Catalog catalog;
  final TableStateMirror tableStates;

  /** Writes changes to {@code hbase:meta}. */
  final RegionStateStore states;

  final Tables tables;
  final ServerList serverList;
  final Switches switches;
  final DrainingServers draining;
  final Assignments assignments;
  final RegionIds regionIds;
  final ProcedureExecutor procedures;
  final MasterHooks hooks;
  final UnstoredProcedures unstored = new UnstoredProcedures();

  /** Completes a write of the master's store. If that fails, the master ends. */
  final Completion written = Completion.of(() -> {}, this::storeFailed);

  private volatile Optional<ServerName> metaLocation = Optional.empty();

  /**
   * Creates them.
   *
   * @param epoch the epoch of this master
   * @param hooks the hooks of coprocessors
   * @param groups returns the present groups of servers; not called before all parts exist
   * @param members returns the manager of the servers; not called before all parts exist
   * @throws FencedException if another master leads
   */
  MasterCore(
      MasterLoop loop,
      MasterContext context,
      MasterStore store,
      ActiveMaster.Stored stored,
      long epoch,
      MasterHooks hooks,
      Supplier<ServerGroups> groups,
      Supplier<ServerManager> members)
      throws FencedException {
    this.loop = loop;
    this.context = context;
    this.store = store;
    this.epoch = epoch;
    this.hooks = hooks;
    this.files = TableFiles.of(context.fenced());
    this.catalog = new Catalog(new MetaCalls(), context.clock(), epoch);
    this.tableStates = new TableStateMirror(context.coordination());
    this.states = new RegionStateStore(loop, catalog, tableStates);
    this.serverCalls =
        new LiveServerCalls(
            context.calls(), server -> loop.post(() -> members.get().suspect(server)));
    this.calls = new RpcRegionServerCalls(serverCalls, epoch);
    this.tables = new Tables(states);
    this.serverList = new ServerList(loop, store, stored.servers(), stored.state());
    this.switches = new Switches(loop, store);
    this.draining =
        new DrainingServers(
            loop,
            store,
            context.coordination(),
            servers,
            context.members().rejectsDecommissioned(),
            this::offloadObstacle,
            this::spreadReplicas,
            stored.state());
    this.assignments =
        new Assignments(
            loop,
            context.clock(),
            states,
            servers,
            new RulePlacement(
                context.placementRules().with(rules(groups)), context.balancer().retains()),
            calls,
            new PublishedMeta(),
            epoch,
            table -> tables.find(table).map(known -> known.schema().regionReplication()).orElse(1),
            this::nextProcedure,
            context.members().warmUpMax());
    this.regionIds = new RegionIds(context.clock(), epoch, stored.state());
    this.procedures =
        new ProcedureExecutor(
            loop,
            context.clock(),
            changes -> regionIds.apply(store, changes),
            this::storeFailed,
            context.lockTimeout(),
            epoch,
            hooks);
  }

  /** Lets replicas leave the servers of their regions: there is one more server for them. */
  private void spreadReplicas() {
    loop.post(() -> assignments.driveAll());
  }

  private Optional<String> offloadObstacle(Collection<ServerName> leaving) {
    return OffloadCheck.obstacle(assignments, leaving);
  }

  private List<PlacementRule> rules(Supplier<ServerGroups> groups) {
    List<PlacementRule> rules = new ArrayList<>();
    if (context.groups().enabled()) {
      rules.add(new GroupRule(groups, context.groups().fallback(), context.clock()));
    }
    rules.add(0, new DrainingRule(draining, GroupRule.NEEDED, rules));
    return rules;
  }

  /** Calls the server that hosts {@code hbase:meta}; on any thread. */
  private final class MetaCalls implements Catalog.MetaClient {
    @Override
    public <R extends Message> R call(String method, Message request, R responsePrototype)
        throws IOException {
      ServerName server =
          metaLocation.orElseThrow(
              () -> new NotServingRegionException("hbase:meta is not open anywhere"));
      return serverCalls.call(server, "ClientService", method, request, responsePrototype);
    }
  }

  /** Tells clients where {@code hbase:meta} and its replicas are. Waits. */
  private final class PublishedMeta implements Assignments.MetaPublisher {
    @Override
    public void publish(RegionInfo copy, ServerName server) throws IOException {
      if (copy.replicaId() == 0) {
        context.coordination().publishMetaLocation(server);
        metaLocation = Optional.of(server);
      } else {
        context.coordination().publishMetaReplica(copy.replicaId(), Optional.of(server));
      }
      loop.post(() -> writeMetaLocation(copy, server));
    }

    @Override
    public void withdraw(RegionInfo replica) throws IOException {
      context.coordination().publishMetaReplica(replica.replicaId(), Optional.empty());
      loop.post(() -> serverList.metaReplicaRemoved(replica.replicaId(), written));
    }
  }

  private void writeMetaLocation(RegionInfo copy, ServerName server) {
    assignments
        .find(copy.encodedName())
        .ifPresent(
            node ->
                serverList.metaOpened(
                    new CatalogChange.RegionOpened(node.region(), server, node.openSequence()),
                    written));
  }

  /** Returns a table of the system that the master itself reads and writes. */
  SystemTable systemTable(Lane lane, TableName name) {
    return new SystemTable(loop, lane, serverCalls, calls, assignments, name);
  }

  /** Returns the id of a procedure that begins and is not stored. */
  long nextProcedure() {
    long id = procedures.nextId();
    unstored.begin(id, context.clock().currentTimeMillis());
    return id;
  }

  private void storeFailed(Throwable cause) {
    context.lifecycle().abort("The master's store cannot be written", cause);
    loop.close();
  }
}
