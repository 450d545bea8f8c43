package dev.cairn.server.master.members;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.master.SimulatedLanes;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.remote.ServerCalls;
import dev.cairn.server.rpc.client.ConnectionRefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

/** A backup master takes over from an active master whose process has ended, and from no other. */
class LeaderWatchTest {
  private static final ServerName LEADER = new ServerName("a", 1, 100);
  private static final ServerName SELF = new ServerName("b", 1, 100);
  private static final ServerName OTHER = new ServerName("c", 1, 100);

  private final SimulatedLanes lanes = new SimulatedLanes();
  private final MasterLoop loop =
      new MasterLoop(
          lanes,
          lanes,
          cause -> {
            throw new AssertionError(cause);
          });
  private final Servers servers = new Servers();
  private final List<ServerName> removed = new ArrayList<>();
  private final LeaderWatch watch = new LeaderWatch(SELF, loop, servers, removed::add);

  @Test
  void theRegistrationOfAnEndedMasterIsRemovedWhenItsConnectionBreaks() {
    watch.update(state(LEADER, SELF, OTHER));
    pass(Duration.ZERO);
    assertThat(removed).isEmpty();

    servers.answer = Optional.of(new ConnectionRefusedException("a:1 refuses"));
    servers.broken.accept(LEADER.hostAndPort());
    pass(Duration.ZERO);

    assertThat(removed).containsExactly(LEADER);
  }

  @Test
  void anEndedMasterIsNoticedWithoutABrokenConnection() {
    watch.update(state(LEADER, SELF));
    pass(Duration.ZERO);
    servers.answer = Optional.of(new ConnectionRefusedException("a:1 refuses"));

    pass(Duration.ofSeconds(10));

    assertThat(removed).containsExactly(LEADER);
  }

  @Test
  void aMasterThatHasNotAnsweredIsProbedEverySecond() {
    servers.answer = Optional.of(new CallTimeoutException("no answer"));
    watch.update(state(LEADER, SELF));
    pass(Duration.ofSeconds(5));
    servers.answer = Optional.of(new ConnectionRefusedException("a:1 refuses"));

    pass(Duration.ofSeconds(1));

    assertThat(removed).containsExactly(LEADER);
  }

  @Test
  void aMasterThatHasAnsweredIsProbedEveryTenSeconds() {
    watch.update(state(LEADER, SELF));
    pass(Duration.ofSeconds(100));
    assertThat(servers.calls).isBetween(10, 11);
  }

  @Test
  void aMasterThatIsSilentOrAnswersWithAnErrorKeepsItsRegistration() {
    watch.update(state(LEADER, SELF));
    for (IOException error :
        List.of(
            new CallTimeoutException("no answer"),
            new ConnectionClosedException("broken"),
            new ServerNotRunningYetException("not yet"))) {
      servers.answer = Optional.of(error);
      pass(Duration.ofSeconds(30));
    }
    assertThat(servers.calls).isGreaterThan(60);
    assertThat(removed).isEmpty();
  }

  @Test
  void onlyTheFirstBackupMasterActs() {
    servers.answer = Optional.of(new ConnectionRefusedException("a:1 refuses"));
    watch.update(state(LEADER, OTHER, new ServerName("aa", 1, 1), SELF));
    pass(Duration.ofSeconds(10));
    assertThat(servers.calls).isZero();

    watch.update(state(LEADER, OTHER, SELF));
    pass(Duration.ofSeconds(1));
    assertThat(removed).contains(LEADER);
  }

  @Test
  void theActiveMasterDoesNotWatchItself() {
    watch.update(state(SELF, OTHER));
    pass(Duration.ofSeconds(10));
    assertThat(servers.calls).isZero();
  }

  private void pass(Duration duration) {
    long end = lanes.nanoTime() + duration.toNanos();
    do {
      while (loop.poll() || lanes.runAction()) {
        // until nothing is left to do now
      }
    } while (lanes.passTime(Duration.ofNanos(end - lanes.nanoTime())));
  }

  private static ClusterState state(ServerName active, ServerName... backups) {
    return new ClusterState(
        Optional.empty(), Optional.of(active), List.of(backups), Optional.empty(), Set.of(), true);
  }

  /** Answers all calls in the same way. */
  private static final class Servers implements ServerCalls {
    private Optional<IOException> answer = Optional.empty();
    private Consumer<String> broken = address -> {};
    private int calls;

    @Override
    public <R extends Message> R call(
        ServerName server,
        String service,
        String method,
        Message request,
        R responsePrototype,
        Duration timeout)
        throws IOException {
      calls++;
      if (answer.isPresent()) {
        throw answer.get();
      }
      return responsePrototype;
    }

    @Override
    public void hangUp(ServerName server) {}

    @Override
    public void whenBroken(Consumer<String> listener) {
      broken = listener;
    }
  }
}
