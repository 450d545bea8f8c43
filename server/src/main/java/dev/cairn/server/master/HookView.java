package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.ddl.MergeRegionsProcedure;
import dev.cairn.server.master.ddl.SplitRegionProcedure;
import dev.cairn.server.master.hook.MasterView;
import dev.cairn.server.master.placement.PlacementDecision;
import dev.cairn.server.master.placement.PlacementReason;
import dev.cairn.server.master.table.SchemaRules;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.snapshot.SnapshotDirectory;
import dev.cairn.server.snapshot.StoredSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockProcedureData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;

/**
 * Returns the current state of a master to the hooks of coprocessors. The master's loop computes
 * the answers. Thread-safe.
 */
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
  public Place region(byte[] name) throws IOException {
    return ask(
        active -> {
          RegionStateNode node = active.assignments().requireNamed(name);
          return new Place(node.region(), node.server());
        });
  }

  @Override
  public Optional<ServerName> destination(RegionInfo region) throws IOException {
    return ask(
        active -> {
          Optional<RegionStateNode> node = active.assignments().find(region.encodedName());
          if (node.isEmpty()) {
            throw Assignments.unknown(region.regionName());
          }
          PlacementDecision decision =
              active
                  .assignments()
                  .place(active.assignments().request(node.get(), PlacementReason.MOVE));
          if (decision.isRefused()) {
            throw new DoNotRetryIOException(decision.reason());
          }
          return decision.server();
        });
  }

  @Override
  public Snapshot snapshot(String name) throws IOException {
    SnapshotDirectory directory = ask(active -> active.procedureContext().snapshots());
    StoredSnapshot stored = directory.require(name);
    return new Snapshot(stored.description(), stored.schema());
  }

  @Override
  public Optional<LockProcedureData> lock(long id) throws IOException {
    return ask(active -> active.procedures().clientLocks().find(id));
  }

  /** A check in the master's state. Called by the loop's owner. */
  @FunctionalInterface
  private interface Check {
    void run(ActiveMaster master) throws IOException;
  }

  private void check(Check check) throws IOException {
    ask(
        active -> {
          check.run(active);
          return true;
        });
  }

  @Override
  public void checkSplit(RegionInfo region) throws IOException {
    check(active -> SplitRegionProcedure.checkAllowed(active.procedureContext(), region));
  }

  @Override
  public void checkMerge(List<RegionInfo> regions) throws IOException {
    check(active -> MergeRegionsProcedure.checkAllowed(active.procedureContext(), regions));
  }

  @Override
  public void checkNew(HBaseProtos.TableSchema table) throws IOException {
    TableSchema schema = TableDescriptorChecker.parse(table);
    SchemaRules rules = master.context().schemas();
    rules.examine(schema); // on this thread, since it may read jars
    check(
        active -> {
          active.namespaces().require(schema.name().namespace());
          TableDescriptorChecker.check(schema, rules);
        });
  }

  @Override
  public void checkQuotas() throws IOException {
    check(active -> active.quotas().requireEnabled());
  }

  @Override
  public boolean mayBalance(BalanceRequest request) throws IOException {
    return ask(active -> active.balancer().mayRun(request));
  }
}
