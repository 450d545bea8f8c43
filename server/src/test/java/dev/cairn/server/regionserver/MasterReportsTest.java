package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ClusterLevel;
import dev.cairn.server.catalog.LogWait;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.YouAreDeadException;
import dev.cairn.server.regionserver.hooked.HookedWork;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.Compactions;
import dev.cairn.server.regionserver.membership.RpcMasterLink;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.regionserver.report.LoadReports;
import dev.cairn.server.regionserver.report.Localities;
import dev.cairn.server.regionserver.report.MasterReports;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.rpc.client.RpcCaller;
import dev.cairn.server.rpc.wire.RpcRemoteException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ClockOutOfSyncException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

/** A region server that a master refuses gives up with the master's reason, in one line. */
class MasterReportsTest {
  private static final String REASON =
      "The clock of host,16020,1 is 40000 ms ahead of the master's";

  private final ManualClock clock = new ManualClock();
  private final ServerState state = new ServerState(new ServerName("host", 16020, 1));
  private final FailingCaller caller = new FailingCaller();
  private final List<String> aborts = new ArrayList<>();
  private final List<String> replacements = new ArrayList<>();
  private final List<String> registrations = new ArrayList<>();
  private Duration logWait = Duration.ZERO;
  private final MasterReports reports = reports();

  private MasterReports reports() {
    OnlineRegions regions = new OnlineRegions(state.serverName(), clock);
    return new MasterReports(
        state,
        new RpcMasterLink(
            caller,
            () -> Optional.of(InetSocketAddress.createUnresolved("master", 16000)),
            Duration.ofSeconds(1),
            ClusterLevel.defaults()),
        new LoadReports(
            regions,
            new Compactions(
                Runnable::run, Runnable::run, HookedWork.NONE, clock, false, region -> false),
            new Localities("host", clock),
            clock,
            new LoadReports.Heap(1 << 20, () -> 0),
            () -> 0,
            Set::of,
            0),
        () -> logWait,
        clock,
        () -> registrations.add("registered"),
        new MasterReports.Ends(replacements::add, aborts::add));
  }

  /** A master that fails every call. */
  private static final class FailingCaller implements RpcCaller {
    private IOException failure;
    private Runnable whenCalled = () -> {};
    private final List<Message> requests = new ArrayList<>();

    @Override
    public <R extends Message> R call(
        InetSocketAddress server,
        String service,
        String method,
        Message request,
        R responsePrototype,
        Duration timeout)
        throws IOException {
      requests.add(request);
      whenCalled.run();
      if (failure != null) {
        throw failure;
      }
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
  }

  @Test
  void aClockThatIsTooFarOffEndsTheServerWithTheMastersSentence() {
    caller.failure = new ClockOutOfSyncException(REASON);
    reports.tryToRegister();
    assertThat(aborts).containsExactly("The master refuses this server: " + REASON);
    assertThat(registrations).isEmpty();
  }

  @Test
  void aDecommissionedHostEndsTheServerWithTheMastersSentence() {
    String sentence = "Host host exists in the list of decommissioned servers";
    caller.failure =
        new RpcRemoteException(
            "org.apache.hadoop.hbase.ipc.DecommissionedHostRejectedException",
            sentence + "\n\tat some.Master",
            true);
    reports.tryToRegister();
    assertThat(aborts).containsExactly("The master refuses this server: " + sentence);
    assertThat(registrations).isEmpty();
  }

  @Test
  void aMasterThatSleptBeforeItComparedClocksIsAskedAgain() {
    caller.failure = new ClockOutOfSyncException(REASON);
    caller.whenCalled = () -> clock.advanceMillis(40_000);
    reports.tryToRegister();
    assertThat(aborts).isEmpty();
    caller.whenCalled = () -> {};
    reports.tryToRegister();
    assertThat(aborts).containsExactly("The master refuses this server: " + REASON);
  }

  @Test
  void theStackTraceOfTheMasterIsNoPartOfTheSentence() {
    String name = ClockOutOfSyncException.class.getName();
    String sent = name + ": " + REASON + "\n\tat dev.cairn.server.master.service.ClockSkew.check";
    for (IOException failure :
        List.of(
            new RpcRemoteException(name, REASON + "\n\tat some.Master", true),
            new ClockOutOfSyncException(sent))) {
      aborts.clear();
      caller.failure = failure;
      reports.tryToRegister();
      assertThat(aborts).containsExactly("The master refuses this server: " + REASON);
    }
  }

  @Test
  void theMasterHearsHowLongALogWaitsAndWhenItWorksAgain() throws InvalidProtocolBufferException {
    reports.tryToRegister();
    assertThat(reports.hasLogWait()).isFalse();
    logWait = Duration.ofMillis(1_500);
    assertThat(reports.hasLogWait()).isTrue();
    reports.tellLogWait();
    assertThat(lastReport().hasLoad()).isFalse();
    assertThat(LogWait.read(lastReport())).isEqualTo(logWait);

    logWait = Duration.ZERO;
    assertThat(reports.hasLogWait()).isTrue();
    reports.tellLogWait();
    assertThat(LogWait.read(lastReport())).isEqualTo(Duration.ZERO);
    assertThat(reports.hasLogWait()).isFalse();

    logWait = Duration.ofMinutes(1);
    reports.check();
    assertThat(lastReport().hasLoad()).isTrue();
    assertThat(LogWait.read(lastReport())).isEqualTo(logWait);
  }

  private RegionServerReportRequest lastReport() throws InvalidProtocolBufferException {
    return RegionServerReportRequest.parseFrom(
        caller.requests.get(caller.requests.size() - 1).toByteString());
  }

  @Test
  void aMasterThatDoesNotAnswerIsTriedAgain() {
    caller.failure = new IOException("no answer");
    reports.tryToRegister();
    assertThat(aborts).isEmpty();
    caller.failure = null;
    reports.tryToRegister();
    assertThat(registrations).hasSize(1);
  }

  @Test
  void aServerThatTheMasterHasGivenUpGivesWay() {
    caller.failure = new YouAreDeadException("its regions are opened elsewhere");
    reports.tryToRegister();
    assertThat(aborts).isEmpty();
    assertThat(replacements)
        .singleElement()
        .asString()
        .startsWith("The master has given this server up: ")
        .contains("its regions are opened elsewhere");
  }
}
