package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.region.RecoveredNonces;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.DiskFullException;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.OpeningProblem;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.admin.AssignmentCalls;
import dev.cairn.server.regionserver.assignment.LostRegions;
import dev.cairn.server.regionserver.assignment.Openings;
import dev.cairn.server.regionserver.assignment.RegionCloser;
import dev.cairn.server.regionserver.assignment.RegionOpener;
import dev.cairn.server.regionserver.assignment.TransitionReporter;
import dev.cairn.server.regionserver.client.OpenScanners;
import dev.cairn.server.regionserver.hooked.HookedWork;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.PreparedRegion;
import dev.cairn.server.regionserver.hosted.RegionFactory;
import dev.cairn.server.regionserver.hosted.TableDescriptors;
import dev.cairn.server.regionserver.hosted.WatchedWrites;
import dev.cairn.server.regionserver.logs.WalSplits;
import dev.cairn.server.regionserver.maintenance.StorageRetries;
import dev.cairn.server.regionserver.membership.MasterEpochs;
import dev.cairn.server.regionserver.membership.ProcedureReporter;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A region comes, serves and goes; the test runs the executor's work step by step. */
class RegionLifeTest {
  private static final TransitionReporter.Cause CAUSE = new TransitionReporter.Cause(11, 22);

  private final ManualClock clock = new ManualClock();
  private final ServerName self = new ServerName("localhost", 16020, 1);
  private final ServerName there = new ServerName("localhost", 16021, 2);
  private final ServerState state = new ServerState(self);
  private final OnlineRegions regions = new OnlineRegions(self, clock);
  private final OpenScanners scanners =
      new OpenScanners(clock, 1_000, 0, MemoryAccount.unlimited());
  private final FakeRegion region = new FakeRegion("");
  private final String name = region.info.encodedName();
  private final FakeMaster master = new FakeMaster();
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final Deque<Runnable> workOfSystemTables = new ArrayDeque<>();
  private final Deque<Runnable> workOfMeta = new ArrayDeque<>();
  private final List<HostedRegion> left = new ArrayList<>();
  private final List<Throwable> fatal = new ArrayList<>();
  private final List<RegionInfo> opened = new ArrayList<>();
  private final HeldTimer timer = new HeldTimer();
  private final TransitionReporter reporter =
      new TransitionReporter(state, master, work::add, timer);
  private TableDescriptors descriptors = table -> FakeRegion.SCHEMA;
  private RegionFactory factory =
      (info, schema, nonces) ->
          PreparedRegion.ready(region.hosted().under(List.of(WatchedWrites.layer(fatal::add))));
  private final StorageRetries retries = new StorageRetries(clock);
  private final RegionOpener opener =
      new RegionOpener(
          state,
          regions,
          (info, schema, nonces) -> factory.prepare(info, schema, nonces),
          table -> descriptors.read(table),
          RecoveredNonces.IGNORED,
          reporter,
          new Openings(workOfMeta::add, workOfSystemTables::add, work::add),
          HookedWork.NONE,
          timer,
          region -> opened.add(region.info()),
          fatal::add);
  private final RegionCloser closer =
      new RegionCloser(
          state,
          regions,
          scanners,
          reporter,
          work::add,
          HookedWork.NONE,
          timer,
          retries,
          1_000,
          left::add,
          fatal::add);

  private final AssignmentCalls orders =
      new AssignmentCalls(
          state,
          new MasterEpochs(clock),
          regions,
          opener,
          closer,
          new WalSplits(
              state,
              (directory, kind, parts, flushed, scratch) -> {},
              master,
              new ProcedureReporter(state, master, Runnable::run, timer),
              Runnable::run));

  /** Holds scheduled tasks back until the test runs them. */
  private static final class HeldTimer extends ScheduledThreadPoolExecutor {
    private final Deque<Runnable> held = new ArrayDeque<>();

    HeldTimer() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      held.add(task);
      return super.schedule(() -> {}, delay, unit);
    }
  }

  @AfterEach
  void stopTimer() {
    timer.shutdownNow();
  }

  @Test
  void aRegionServesOnceTheMasterHasAgreed() throws IOException {
    opener.open(region.info, CAUSE);
    assertThatThrownBy(() -> regions.find(name)).isInstanceOf(RegionOpeningException.class);
    assertThat(opened).isEmpty();
    runAll();
    assertThat(regions.find(name).info()).isEqualTo(region.info);
    assertThat(opened).containsExactly(region.info);
    RegionStateTransition told = master.transitions.get(0);
    assertThat(told.getTransitionCode()).isEqualTo(TransitionCode.OPENED);
    assertThat(told.getProcId(0)).isEqualTo(11);
    assertThat(told.getInitiatingMasterActiveTime()).isEqualTo(22);
    assertThat(told.getOpenSeqNum()).isEqualTo(5);
  }

  @Test
  void regionsOfSystemTablesDoNotWaitForThoseOfUsers() {
    RegionInfo system = new RegionInfo(TableName.parse("hbase:quota"), new byte[0], new byte[0], 1);
    master.answer = new DoNotRetryIOException("only its reports matter here");
    opener.open(region.info, CAUSE);
    opener.open(RegionInfo.META, CAUSE);
    opener.open(system, CAUSE);
    workOfMeta.remove().run();
    workOfSystemTables.remove().run();
    assertThat(master.transitions)
        .extracting(told -> Messages.regionInfo(told.getRegionInfo(0)))
        .containsExactly(RegionInfo.META, system);
    assertThat(work).hasSize(1);
  }

  @Test
  void aReportThatDidNotReachTheMasterIsRepeatedByTheThreadsOfItsKind() {
    TransitionReporter closings = reporter.on(workOfMeta::add);
    master.answer = new IOException("no master");
    closings.report(TransitionCode.CLOSED, region.info, 0, CAUSE, () -> {}, () -> {});
    timer.held.remove().run();
    assertThat(work).isEmpty();
    assertThat(workOfMeta).hasSize(1);
  }

  @Test
  void aRegionWithMuchInMemoryIsFlushedWhileItServes() throws IOException {
    opener.open(region.info, CAUSE);
    runAll();
    region.memStoreBytes = 1_000;
    assertThat(closer.close(name, Optional.empty(), CAUSE)).isTrue();
    assertThat(closer.close(name, Optional.empty(), CAUSE)).as("asked again").isTrue();
    assertThat(regions.get(name)).as("serves until it is flushed").isPresent();
    work.remove().run();
    assertThat(region.flushes).isEqualTo(1);
    assertThat(regions.get(name)).isEmpty();
    assertThat(left).isEmpty();
    runAll();
    assertThat(region.closed).isTrue();
    assertThat(region.flushes).as("flushed once").isEqualTo(1);
    assertThat(left).extracting(HostedRegion::info).containsExactly(region.info);
  }

  @Test
  void aFlushBeforeAClosingThatCameTooLateDoesNotCloseTheRegionOpenedAgain() throws IOException {
    open();
    region.memStoreBytes = 1_000;
    closer.close(name, Optional.empty(), CAUSE);
    Runnable late = work.remove();
    region.memStoreBytes = 0;
    closer.close(name, Optional.empty(), CAUSE);
    runAll();
    assertThat(regions.knows(name)).isFalse();
    open();
    late.run();
    runAll();
    assertThat(regions.get(name)).isPresent();
    region.memStoreBytes = 1_000;
    closer.close(name, Optional.empty(), CAUSE);
    runAll();
    assertThat(regions.knows(name)).as("a new order to close counts").isFalse();
  }

  @Test
  void aMasterThatDoesNotAgreeGetsTheRegionBack() {
    master.answer = new DoNotRetryIOException("it is open elsewhere");
    opener.open(region.info, CAUSE);
    runAll();
    assertThatThrownBy(() -> regions.find(name)).isInstanceOf(NotServingRegionException.class);
  }

  @Test
  void aRegionWithALostBlockIsReportedOnceAtATimeAndServesUntilTheMasterClosesIt()
      throws IOException {
    LostRegions lost = new LostRegions(state, regions, reporter, work::add);
    lost.report(name);
    assertThat(work).as("not open").isEmpty();
    open();
    lost.report(name);
    lost.report(name);
    assertThat(work).hasSize(1);
    runAll();
    RegionStateTransition told = master.transitions.get(master.transitions.size() - 1);
    assertThat(told.getTransitionCode()).isEqualTo(TransitionCode.FAILED_OPEN);
    assertThat(told.getInitiatingMasterActiveTime()).as("answers no order").isNegative();
    assertThat(regions.get(name)).isPresent();

    lost.report(name);
    assertThat(work).as("reported again by the next read").hasSize(1);
    runAll();
    closer.close(name, Optional.empty(), CAUSE);
    runAll();
    lost.report(name);
    assertThat(work).as("closed").isEmpty();
  }

  @Test
  void anOpeningHasNoEffectBeforeTheMasterHasAgreed() throws IOException {
    List<String> steps = new ArrayList<>();
    factory = (info, schema, nonces) -> new Steps(steps, region.hosted());
    master.heard = () -> steps.add("agreed");
    open();
    assertThat(steps).containsExactly("agreed", "begun as 22-11");
    assertThat(regions.get(name)).isPresent();
  }

  @Test
  void anOpeningThatTheMasterRefusesHasNoEffect() {
    List<String> steps = new ArrayList<>();
    factory = (info, schema, nonces) -> new Steps(steps, region.hosted());
    master.answer = new DoNotRetryIOException("it is open elsewhere");
    open();
    assertThat(steps).containsExactly("closed");
  }

  @Test
  void aRegionThatALaterOwnerHasDoesNotServe() {
    factory =
        (info, schema, nonces) ->
            new Steps(new ArrayList<>(), region.hosted()) {
              @Override
              public HostedRegion begin(Optional<FencingToken> token) throws IOException {
                throw new FencedException("a later owner");
              }
            };
    open();
    assertThat(regions.knows(name)).isFalse();
    assertThat(master.transitions).hasSize(1);
  }

  @Test
  void anOpeningThatANewMasterOrderedAgainAnswersTheNewOrder() throws IOException {
    master.answer = new DoNotRetryIOException("it has been ordered again");
    opener.open(region.info, CAUSE);
    opener.open(region.info, new TransitionReporter.Cause(3, 33));
    master.heard =
        () -> {
          if (master.transitions.size() == 1) {
            master.answer = null;
          }
        };
    runAll();
    assertThat(regions.get(name)).isPresent();
    RegionStateTransition told = master.transitions.get(master.transitions.size() - 1);
    assertThat(told.getProcId(0)).isEqualTo(3);
    assertThat(told.getInitiatingMasterActiveTime()).isEqualTo(33);
  }

  @Test
  void ordersOfAMasterThatWasReplacedAreRefused() throws IOException {
    open();
    orders.close(new FakeCall(), closeOrder(33));
    runAll();
    assertThatThrownBy(() -> orders.open(new FakeCall(), openOrder(32)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("replaced");
    assertThatThrownBy(
            () ->
                orders.execute(
                    new FakeCall(),
                    ExecuteProceduresRequest.newBuilder().addOpenRegion(openOrder(32)).build()))
        .hasMessageContaining("replaced");
    assertThatThrownBy(() -> orders.close(new FakeCall(), closeOrder(32)))
        .hasMessageContaining("replaced");
    assertThat(work).isEmpty();
    assertThat(regions.knows(name)).isFalse();
    orders.open(new FakeCall(), openOrder(33));
    runAll();
    assertThat(regions.get(name)).isPresent();
  }

  @Test
  void ordersThatNameNoEpochAreObeyed() throws IOException {
    open();
    orders.close(new FakeCall(), closeOrder(33));
    runAll();
    orders.open(
        new FakeCall(), openOrder(33).toBuilder().clearInitiatingMasterActiveTime().build());
    runAll();
    assertThat(regions.get(name)).isPresent();
    orders.close(new FakeCall(), closeOrder());
    runAll();
    assertThat(regions.knows(name)).isFalse();
  }

  private CloseRegionRequest closeOrder(long epoch) {
    return closeOrder().toBuilder().setInitiatingMasterActiveTime(epoch).build();
  }

  private OpenRegionRequest openOrder(long epoch) {
    return OpenRegionRequest.newBuilder()
        .setInitiatingMasterActiveTime(epoch)
        .addOpenInfo(
            OpenRegionRequest.RegionOpenInfo.newBuilder().setRegion(Messages.message(region.info)))
        .build();
  }

  /** A region that notes what is done with it. */
  private static class Steps implements PreparedRegion {
    private final List<String> steps;
    private final HostedRegion region;

    Steps(List<String> steps, HostedRegion region) {
      this.steps = steps;
      this.region = region;
    }

    @Override
    public long openSequence() {
      return 5;
    }

    @Override
    public HostedRegion begin(Optional<FencingToken> token) throws IOException {
      steps.add("begun as " + token.orElseThrow());
      return region;
    }

    @Override
    public void close() {
      steps.add("closed");
    }
  }

  @Test
  void aRegionThatCannotBeginIsGivenBackWithTheReason() {
    List<String> steps = new ArrayList<>();
    factory =
        (info, schema, nonces) ->
            new Steps(steps, region.hosted()) {
              @Override
              public HostedRegion begin(Optional<FencingToken> token) throws IOException {
                throw new IOException("the disk is slow");
              }
            };
    open();
    assertThat(steps).containsExactly("closed");
    assertThat(master.transitions)
        .extracting(RegionStateTransition::getTransitionCode)
        .containsExactly(TransitionCode.OPENED, TransitionCode.FAILED_OPEN);
    RegionStateTransition told = master.transitions.get(1);
    assertThat(told.getProcId(0)).as("the order").isEqualTo(11);
    assertThat(OpeningProblem.read(told).orElseThrow().reason()).contains("the disk is slow");
    assertThatThrownBy(() -> regions.find(name))
        .isInstanceOf(NotServingRegionException.class)
        .hasMessageContaining("the disk is slow");
    opener.open(region.info, CAUSE);
    assertThatThrownBy(() -> regions.find(name))
        .isInstanceOf(RegionOpeningException.class)
        .hasMessageContaining("the disk is slow");
    factory = (info, schema, nonces) -> PreparedRegion.ready(region.hosted());
    runAll();
    assertThat(regions.get(name)).isPresent();
  }

  @Test
  void aRegionStartsBeforeItIsReported() {
    List<String> steps = new ArrayList<>();
    factory =
        (info, schema, nonces) ->
            new Steps(steps, region.hosted()) {
              @Override
              public void start() {
                steps.add("started");
              }
            };
    master.heard = () -> steps.add("agreed");
    open();
    assertThat(steps).containsExactly("started", "agreed", "begun as 22-11");
  }

  @Test
  void aRegionThatDoesNotStartIsNotReportedAsOpen() {
    List<String> steps = new ArrayList<>();
    factory =
        (info, schema, nonces) ->
            new Steps(steps, region.hosted()) {
              @Override
              public void start() throws IOException {
                throw new IOException("not now");
              }
            };
    open();
    assertThat(steps).containsExactly("closed");
    assertThat(master.transitions)
        .extracting(RegionStateTransition::getTransitionCode)
        .containsExactly(TransitionCode.FAILED_OPEN);
    assertThat(regions.isEmpty()).isTrue();
  }

  @Test
  void aRegionThatRefusesEveryCallIsReportedWithTheReason() throws IOException {
    HostedRegion refused = HostedRegion.refused(region.info, FakeRegion.SCHEMA, 1, "A file fails");
    factory = (info, schema, nonces) -> PreparedRegion.ready(refused);
    open();
    factory = (info, schema, nonces) -> new Steps(new ArrayList<>(), refused);
    closer.close(name, Optional.empty(), CAUSE);
    runAll();
    open();
    assertThat(master.transitions)
        .extracting(told -> OpeningProblem.read(told).map(OpeningProblem::reason).orElse("none"))
        .as("the third is known to be refused only once it has begun")
        .containsExactly("A file fails", "none", "none", "A file fails");
  }

  @Test
  void aRegionThatCannotBeOpenedIsReported() {
    factory =
        (info, schema, nonces) -> {
          throw new IOException("no file");
        };
    opener.open(region.info, CAUSE);
    runAll();
    assertThat(master.transitions.get(0).getTransitionCode()).isEqualTo(TransitionCode.FAILED_OPEN);
    assertThat(regions.isEmpty()).isTrue();
    factory = (info, schema, nonces) -> PreparedRegion.ready(region.hosted());
    opener.open(region.info, CAUSE);
    runAll();
    assertThat(regions.get(name)).isPresent();
  }

  @Test
  void aDescriptorThatCannotBeReadForAMomentDoesNotCloseTheTable() {
    descriptors =
        table -> {
          throw new IOException("no answer from the file system");
        };
    opener.open(region.info, CAUSE);
    runAll();
    assertThat(master.transitions.get(0).getTransitionCode()).isEqualTo(TransitionCode.FAILED_OPEN);
    assertThat(regions.isEmpty()).isTrue();
  }

  @Test
  void aDamagedDescriptorIsShownWithItsRemedy() {
    descriptors =
        table -> {
          throw new DamagedFileException("data/t/.tabledesc/x", 3, "expected y");
        };
    opener.open(region.info, CAUSE);
    runAll();
    assertThat(regions.get(name).orElseThrow().refusal().orElseThrow())
        .contains("The table", "data/t/.tabledesc/x", "from a backup");
  }

  @Test
  void aServerThatHasGivenUpDoesNotTakeAMissingDescriptorForDamage() {
    descriptors =
        table -> {
          state.advance(ServerState.Stage.ABORTED); // the table was dropped meanwhile
          throw new DamagedFileException("data/t/.tabledesc/x", 3, "expected y");
        };
    opener.open(region.info, CAUSE);
    runAll();
    assertThat(regions.isEmpty()).isTrue();
  }

  @Test
  void aProgrammingErrorIsShownAsOneAndNotAsDamage() {
    factory =
        (info, schema, nonces) -> {
          throw new IndexOutOfBoundsException("index 7");
        };
    opener.open(region.info, CAUSE);
    runAll();
    assertThat(regions.get(name).orElseThrow().refusal().orElseThrow())
        .contains("programming error", "IndexOutOfBoundsException: index 7", "report it")
        .doesNotContain("backup");
  }

  @Test
  void aDamagedFileIsShownWithItsRemedyAlsoWithinAnUncheckedError() {
    factory =
        (info, schema, nonces) -> {
          throw new UncheckedIOException(new DamagedFileException("data/x", 3, "expected y"));
        };
    opener.open(region.info, CAUSE);
    runAll();
    assertThat(regions.get(name).orElseThrow().refusal().orElseThrow())
        .contains("data/x", "at byte 3", "from a backup");
  }

  @ParameterizedTest
  @MethodSource("temporaryErrors")
  void anOpeningThatFailsForAMomentIsTriedAgain(RuntimeException temporary) {
    factory =
        (info, schema, nonces) -> {
          throw temporary;
        };
    opener.open(region.info, CAUSE);
    runAll();
    assertThat(master.transitions.get(0).getTransitionCode()).isEqualTo(TransitionCode.FAILED_OPEN);
    assertThat(regions.isEmpty()).isTrue();
  }

  private static List<RuntimeException> temporaryErrors() {
    return List.of(
        MemoryShortageException.forNow(10, MemoryAccount.unlimited()),
        new UncheckedIOException(new IOException("no space")));
  }

  @Test
  void openingWhatIsOpenIsReportedAgain() {
    open();
    opener.open(region.info, CAUSE);
    runAll();
    assertThat(master.transitions).extracting("transitionCode").containsOnly(TransitionCode.OPENED);
    assertThat(master.transitions).hasSize(2);
  }

  @Test
  void aClosedRegionTellsWhereItWent() throws IOException {
    open();
    assertThat(closer.close(name, Optional.of(there), CAUSE)).isTrue();
    assertThatThrownBy(() -> regions.find(name))
        .isInstanceOf(NotServingRegionException.class)
        .hasMessageContaining("closing");
    runAll();
    assertThat(region.closed).isTrue();
    assertThat(region.closedByAbort).isFalse();
    assertThat(master.transitions.get(1).getTransitionCode()).isEqualTo(TransitionCode.CLOSED);
    assertThatThrownBy(() -> regions.find(name))
        .isInstanceOfSatisfying(
            RegionMovedException.class, moved -> assertThat(moved.getPort()).isEqualTo(16021));
    clock.advanceMillis(120_001);
    assertThatThrownBy(() -> regions.find(name))
        .isExactlyInstanceOf(NotServingRegionException.class);
    assertThat(closer.close(name, Optional.empty(), CAUSE)).isFalse();
  }

  @Test
  void anOrderToCloseThatIsRepeatedWhileItIsCarriedOutIsNotRefused() throws IOException {
    open();
    assertThat(orders.close(new FakeCall(), closeOrder()).getClosed()).isTrue();
    assertThat(orders.close(new FakeCall(), closeOrder()).getClosed()).isTrue();
    runAll();
    assertThat(master.transitions)
        .extracting(RegionStateTransition::getTransitionCode)
        .containsExactly(TransitionCode.OPENED, TransitionCode.CLOSED);
    assertThatThrownBy(() -> orders.close(new FakeCall(), closeOrder()))
        .isExactlyInstanceOf(NotServingRegionException.class);
  }

  @Test
  void aRegionThatIsOpeningIsNotSaidToBeGone() {
    opener.open(region.info, CAUSE);
    assertThatThrownBy(() -> orders.close(new FakeCall(), closeOrder()))
        .isInstanceOf(RegionOpeningException.class);
  }

  @Test
  void anOrderToOpenThatIsRepeatedWhileItIsCarriedOutChangesNothing() {
    opener.open(region.info, CAUSE);
    opener.open(region.info, CAUSE);
    runAll();
    assertThat(master.transitions).hasSize(1);
  }

  @Test
  void aRegionWhoseCodeCannotBeLoadedIsReported() {
    factory =
        (info, schema, recovered) -> {
          throw new NoClassDefFoundError("codec");
        };
    opener.open(region.info, CAUSE);
    runAll();
    assertThat(master.transitions)
        .extracting(RegionStateTransition::getTransitionCode)
        .containsExactly(TransitionCode.FAILED_OPEN);
    assertThat(regions.knows(name)).isFalse();
  }

  @Test
  void aRegionThatCannotBeFlushedStaysOpenAndIsClosedLater() throws Exception {
    open();
    region.failure = new DiskFullException("data/t", "test");
    closer.close(name, Optional.empty(), CAUSE);
    runAll();
    assertThat(fatal).isEmpty();
    assertThat(regions.find(name).info()).isEqualTo(region.info);
    assertThat(master.transitions).hasSize(1);
    region.failure = null;
    timer.held.remove().run();
    runAll();
    assertThat(regions.knows(name)).isFalse();
    assertThat(master.transitions).hasSize(2);
  }

  @Test
  void aSecondTryToCloseDoesNotCloseTheRegionOpenedAgain() throws Exception {
    open();
    region.failure = new DiskFullException("data/t", "test");
    closer.close(name, Optional.empty(), CAUSE);
    runAll();
    Runnable late = timer.held.remove();
    region.failure = null;
    closer.close(name, Optional.empty(), CAUSE);
    runAll();
    assertThat(regions.knows(name)).as("a new order to close counts").isFalse();
    open();
    late.run();
    runAll();
    assertThat(regions.get(name)).isPresent();
  }

  @Test
  void aRegionWhoseLogFailedTakesTheServerDown() throws IOException {
    open();
    region.failure = new WalFailedException("WALs/1", new IOException("broken"));
    closer.close(name, Optional.empty(), CAUSE);
    runAll();
    assertThat(fatal).containsExactly(region.failure);
    assertThat(master.transitions).hasSize(1);
  }

  private CloseRegionRequest closeOrder() {
    return CloseRegionRequest.newBuilder().setRegion(Messages.specifier(region.info)).build();
  }

  private void open() {
    opener.open(region.info, CAUSE);
    runAll();
  }

  private void runAll() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }
}
