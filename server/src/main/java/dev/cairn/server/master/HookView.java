package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.ddl.MergeRegionsProcedure;
import dev.cairn.server.master.ddl.SplitRegionProcedure;
import dev.cairn.server.master.hook.MasterView;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockProcedureData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;

/** The present state of a master, for the hooks of coprocessors. Asks the loop. Thread-safe. */
final class HookView implements MasterView {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Master master;

  HookView(Master master) {
    this.master = master;
  }

  /** Answers from the master's state. Called by the loop's owner. */
  @FunctionalInterface
  private interface Question<T> {
    T answer(ActiveMaster master) throws IOException;
  }

  private <T> T ask(Question<T> question) throws IOException {
    return master
        .loop()
        .request(
            future -> {
              Optional<ActiveMaster> active = master.active();
              if (active.isEmpty()) {
                future.completeExceptionally(new PleaseHoldException("The master does not lead"));
                return;
              }
              try {
                future.complete(question.answer(active.get()));
              } catch (IOException e) {
                future.completeExceptionally(e);
              }
            },
            PATIENCE);
  }

  @Override
  public ServerName self() {
    return master.self();
  }

  @Override
  public Optional<TableSchema> table(TableName name) throws IOException {
    return ask(active -> active.tables().find(name).map(Tables.Table::schema));
  }

  @Override
  public List<TableSchema> tables() throws IOException {
    return ask(active -> active.tables().all().stream().map(Tables.Table::schema).toList());
  }

  @Override
  public Optional<NamespaceDescriptor> namespace(String name) throws IOException {
    return ask(active -> active.namespaces().find(name));
  }

  @Override
  public Optional<Place> region(byte[] name) throws IOException {
    return ask(
        active ->
            active.assignments().named(name).map(node -> new Place(node.region(), node.server())));
  }

  @Override
  public Optional<ServerName> destination(RegionInfo region) throws IOException {
    return ask(
        active -> {
          Optional<RegionStateNode> node = active.assignments().find(region.encodedName());
          return node.flatMap(
              one ->
                  active
                      .assignments()
                      .place(active.assignments().request(one, PlacementReason.MOVE))
                      .server());
        });
  }

  @Override
  public Optional<Snapshot> snapshot(String name) throws IOException {
    SnapshotDirectory directory = ask(active -> active.procedureContext().snapshots());
    return directory.read(name).map(stored -> new Snapshot(stored.description(), stored.schema()));
  }

  @Override
  public Optional<LockProcedureData> lock(long id) throws IOException {
    return ask(active -> active.procedures().clientLocks().find(id));
  }

  @Override
  public boolean maySplit(RegionInfo region) throws IOException {
    return allows(active -> SplitRegionProcedure.checkAllowed(active.procedureContext(), region));
  }

  @Override
  public boolean mayMerge(RegionInfo region) throws IOException {
    return allows(
        active -> MergeRegionsProcedure.checkAllowed(active.procedureContext(), List.of(region)));
  }

  /** A check in the master's state. Called by the loop's owner. */
  @FunctionalInterface
  private interface Check {
    void run(ActiveMaster master) throws IOException;
  }

  private boolean allows(Check check) throws IOException {
    return ask(
        active -> {
          try {
            check.run(active);
            return true;
          } catch (IOException e) {
            return false; // the request is refused with the reason
          }
        });
  }

  @Override
  public boolean mayBalance(BalanceRequest request) throws IOException {
    return ask(active -> active.balancer().mayRun(request));
  }
}
