package dev.cairn.server.master.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.MasterKills;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.procedure.ProcedureRecord;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills the master at every point of the making, changing and removing of a namespace: the next
 * master leaves it as before or as asked for.
 */
class NamespaceKillTest {
  private static final String NAME = "shop";

  /** The operation on the namespace. */
  enum Scenario {
    CREATE(ProcedureKind.CREATE_NAMESPACE, Optional.empty(), Optional.of("new")),
    MODIFY(ProcedureKind.MODIFY_NAMESPACE, Optional.of("old"), Optional.of("new")),
    DELETE(ProcedureKind.DELETE_NAMESPACE, Optional.of("old"), Optional.empty());

    private final ProcedureKind kind;
    private final Optional<String> before;
    private final Optional<String> after;

    Scenario(ProcedureKind kind, Optional<String> before, Optional<String> after) {
      this.kind = kind;
      this.before = before;
      this.after = after;
    }

    SimulatedCluster prepare() throws IOException {
      SimulatedCluster cluster = new SimulatedCluster();
      cluster.addServer(new ServerName("one", 16020, 1));
      cluster.addServer(new ServerName("two", 16020, 1));
      cluster.startUp();
      cluster.runUntil(cluster::isIdle);
      before.ifPresent(value -> cluster.run(of(cluster, ProcedureKind.CREATE_NAMESPACE, value)));
      return cluster;
    }

    Procedure procedure(SimulatedCluster cluster) {
      return of(cluster, kind, after.orElse(""));
    }
  }

  private static Procedure of(SimulatedCluster cluster, ProcedureKind kind, String value) {
    NamespaceDescriptor descriptor =
        NamespaceDescriptor.newBuilder()
            .setName(ByteString.copyFromUtf8(NAME))
            .addConfiguration(NameStringPair.newBuilder().setName("key").setValue(value))
            .build();
    return new NamespaceProcedure(
        cluster.active().procedureContext(), kind, descriptor, namespace -> false);
  }

  @ParameterizedTest
  @EnumSource
  void aKillBetweenActionsLeavesNothingHalfDone(Scenario scenario) throws IOException {
    MasterKills.betweenActions(
        scenario::prepare,
        scenario::procedure,
        (cluster, accepted, when) -> check(scenario, cluster, accepted, when));
  }

  @ParameterizedTest
  @EnumSource
  void aSecondKillDuringTheRecoveryLeavesNothingHalfDone(Scenario scenario) throws IOException {
    MasterKills.betweenActionsAndInRecoveries(
        scenario::prepare,
        scenario::procedure,
        (cluster, accepted, when) -> check(scenario, cluster, accepted, when));
  }

  @ParameterizedTest
  @EnumSource
  void aKillWithinAnActionLeavesNothingHalfDone(Scenario scenario) throws IOException {
    MasterKills.withinActions(
        scenario::prepare,
        scenario::procedure,
        (cluster, accepted, when) -> check(scenario, cluster, accepted, when));
  }

  private static void check(
      Scenario scenario, SimulatedCluster cluster, CompletableFuture<Long> accepted, String when)
      throws IOException {
    Optional<String> value =
        cluster
            .active()
            .procedureContext()
            .namespaces()
            .find(NAME)
            .map(found -> found.getConfiguration(0).getValue());
    if (accepted.isDone() && !accepted.isCompletedExceptionally()) {
      ProcedureRecord record = cluster.active().procedures().find(accepted.join()).orElseThrow();
      assertThat(record.state()).as(when).isEqualTo(ProcedureState.SUCCESS);
      assertThat(value).as(when).isEqualTo(scenario.after);
    } else {
      assertThat(value).as(when).isIn(scenario.before, scenario.after);
    }
    assertThat(cluster.storage.exists("data/" + NAME)).as(when).isEqualTo(value.isPresent());
  }
}
