package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.StartedAgain;
import dev.cairn.server.rpc.client.RpcCaller;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

/** News of restarts, and masters that do not answer. */
class RestartReportTest {
  private static final ServerName MASTER = ServerName.parse("master,16000,1");

  private final List<StartedAgain> heard = new ArrayList<>();

  /** The number of calls that the master answers before it is gone. */
  private int answers;

  private Optional<ServerName> active = Optional.of(MASTER);

  private final RpcCaller calls =
      new RpcCaller() {
        @Override
        public <R extends Message> R call(
            InetSocketAddress server,
            String service,
            String method,
            Message request,
            R responsePrototype,
            Duration timeout)
            throws IOException {
          assertThat(server).isEqualTo(MASTER.address());
          if (answers == 0) {
            throw new IOException("the master is gone");
          }
          answers--;
          heard.add(StartedAgain.of((ReportRSFatalErrorRequest) request).orElseThrow());
          return responsePrototype;
        }

        @Override
        public void hangUp(InetSocketAddress server) {}

        @Override
        public RpcCaller ofLife(long startCode) {
          return this;
        }

        @Override
        public void whenBroken(Consumer<InetSocketAddress> listener) {}
      };

  private static StartedAgain restart(int life) {
    return new StartedAgain(
        ServerName.parse("host,16020," + life),
        ServerName.parse("host,16020," + (life + 1)),
        "reason " + life);
  }

  private RestartReport report(List<StartedAgain> restarts) {
    return new RestartReport(calls, () -> active, restarts);
  }

  @Test
  void eachRestartIsToldOnceAndInOrder() {
    RestartReport report = report(List.of(restart(1), restart(2), restart(3)));
    answers = 2;
    assertThat(report.tell()).isFalse();
    assertThat(heard).containsExactly(restart(1), restart(2));
    assertThat(report.untold()).containsExactly(restart(3));
    answers = 5;
    assertThat(report.tell()).isTrue();
    assertThat(report.tell()).isTrue();
    assertThat(heard).containsExactly(restart(1), restart(2), restart(3));
    assertThat(report.untold()).isEmpty();
  }

  @Test
  void withoutAMasterNothingIsForgotten() {
    active = Optional.empty();
    RestartReport first = report(List.of(restart(1)));
    assertThat(first.tell()).isFalse();
    List<StartedAgain> later = new ArrayList<>(first.untold());
    later.add(restart(2));
    active = Optional.of(MASTER);
    answers = 2;
    assertThat(report(later).tell()).isTrue();
    assertThat(heard).containsExactly(restart(1), restart(2));
  }
}
