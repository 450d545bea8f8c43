package dev.cairn.server.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.SchemaReview;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.Master;
import dev.cairn.server.master.MasterContext;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.SimulatedLanes;
import dev.cairn.server.master.balancer.BalancerSettings;
import dev.cairn.server.master.group.GroupSettings;
import dev.cairn.server.master.hook.MasterHookSource;
import dev.cairn.server.master.normalizer.NormalizerSettings;
import dev.cairn.server.master.placement.PlacementRules;
import dev.cairn.server.master.table.SchemaRules;
import dev.cairn.server.quota.QuotaSchedule;
import dev.cairn.server.rpc.Waiting;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.snapshot.SnapshotSettings;
import dev.cairn.server.split.SplitPolicies;
import dev.cairn.server.split.SplitSettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which callers wait while a master starts, and which are refused at once. */
@Timeout(60)
class MasterGateTest {
  private static final ServerName SELF = new ServerName("one.example", 16000, 1);
  private static final ServerName OTHER = new ServerName("two.example", 16000, 1);

  /** Longer than a test may take: who is refused was not kept. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private final CompletableFuture<Throwable> refusal = new CompletableFuture<>();
  private Master master;
  private MasterGate gate;

  @AfterEach
  void close() {
    master.close();
  }

  @Test
  void aStandbyRefusesAtOnce() {
    create(Optional.of(OTHER), 20);
    assertThatThrownBy(() -> ask(LONG)).isInstanceOf(ServerNotRunningYetException.class);
  }

  @Test
  void withFewHandlersNobodyIsKept() {
    create(Optional.empty(), 3);
    assertThat(hasRoom()).isFalse();
    assertThatThrownBy(() -> ask(LONG)).isInstanceOf(ServerNotRunningYetException.class);
  }

  @Test
  void oneOfFourHandlersMayWaitAndTheNextCallerIsNotKept() throws Exception {
    create(Optional.of(SELF), 7);
    Thread kept = keepOne();
    assertThat(hasRoom()).isFalse();
    assertThatThrownBy(() -> ask(LONG)).isInstanceOf(ServerNotRunningYetException.class);
    assertThat(kept.isAlive()).isTrue();
  }

  @Test
  void noMoreThanFiveAreKept() throws Exception {
    create(Optional.of(SELF), 10_000);
    for (int i = 0; i < 5; i++) {
      assertThat(hasRoom()).isTrue();
      keepOne();
    }
    assertThat(hasRoom()).isFalse();
  }

  @Test
  void whoHasWaitedLongEnoughMakesRoom() {
    create(Optional.empty(), 4);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> ask(Duration.ofMillis(1)))
          .isInstanceOf(ServerNotRunningYetException.class);
      assertThat(hasRoom()).isTrue();
    }
  }

  @Test
  void whoIsInterruptedMakesRoom() throws Exception {
    create(Optional.empty(), 4);
    Thread kept = keepOne();
    kept.interrupt();
    assertThat(refusal.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedIOException.class);
    assertThat(hasRoom()).isTrue();
  }

  @Test
  void aMasterThatIsClosedFreesThoseWhoWait() throws Exception {
    create(Optional.empty(), 4);
    keepOne();
    master.close();
    assertThat(refusal.get(60, TimeUnit.SECONDS)).isInstanceOf(ServerNotRunningYetException.class);
    assertThat(hasRoom()).isTrue();
  }

  private void create(Optional<ServerName> leader, int handlers) {
    ClusterState state =
        new ClusterState(Optional.empty(), leader, List.of(), Optional.empty(), Set.of(), true);
    MasterContext context =
        new MasterContext(
            Clock.SYSTEM,
            new MemoryStorage(Clock.SYSTEM),
            TableFiles.fence(new MemoryStorage(Clock.SYSTEM)),
            null,
            fake(Coordination.class, "state", state),
            null,
            null,
            null,
            PlacementRules.OWN,
            null,
            new SchemaRules(
                schema -> {},
                true,
                new SplitPolicies(SplitSettings.DEFAULTS),
                new SchemaReview(Set.of()),
                StoreFileTracking.Kind.DEFAULT),
            QuotaSchedule.OFF,
            handlers,
            SimulatedCluster.JANITOR_INTERVAL,
            NormalizerSettings.DEFAULTS,
            GroupSettings.OFF,
            BalancerSettings.DEFAULTS,
            SnapshotSettings.DEFAULTS,
            SimulatedCluster.LOCK_TIMEOUT,
            UUID::randomUUID,
            MasterHookSource.NONE,
            null);
    master = SimulatedCluster.master(SELF, context, new SimulatedLanes());
    gate = new MasterGate(master, LONG);
  }

  private Object ask(Duration patience) throws IOException {
    return gate.ask(call(patience), ActiveMaster::procedures);
  }

  /** Returns a thread of a caller who waits. */
  private Thread keepOne() throws InterruptedException {
    Thread caller =
        new Thread(
            () -> {
              try {
                ask(LONG);
              } catch (IOException e) {
                refusal.complete(e);
              }
            });
    caller.setDaemon(true);
    caller.start();
    Waiting.waitUntil(() -> caller.getState() == Thread.State.TIMED_WAITING);
    return caller;
  }

  /** Tells whether one more caller would be kept. */
  private boolean hasRoom() {
    try {
      return !gate.answerPatiently(call(LONG), patience -> patience).isZero();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static RpcCall call(Duration patience) {
    return fake(RpcCall.class, "deadlineNanos", Clock.SYSTEM.nanoTime() + patience.toNanos());
  }

  /** Returns something of which only one method is known. */
  private static <T> T fake(Class<T> type, String known, Object answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals(known)) {
                return answer;
              }
              throw new UnsupportedOperationException(method.getName());
            }));
  }
}
