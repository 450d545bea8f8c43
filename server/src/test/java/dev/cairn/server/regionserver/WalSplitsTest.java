package dev.cairn.server.regionserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.wal.split.FlushedSequences;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.logs.WalSplits;
import dev.cairn.server.regionserver.logs.WalSplits.WalSplitter;
import dev.cairn.server.regionserver.membership.ProcedureReporter;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.walsplit.LogPart;
import dev.cairn.server.walsplit.SplitOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.StoreSequenceId;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.GetLastFlushedSequenceIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RemoteProcedureResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RemoteProcedureResult.Status;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A region server splits the parts of a log that a master orders, and reports each. */
class WalSplitsTest {
  private static final ServerName SELF = new ServerName("self", 16020, 1);
  private static final ServerName DEAD = new ServerName("dead", 16020, 1);
  private static final long EPOCH = 1_000;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final FakeMaster master = new FakeMaster();
  private final ServerState state = new ServerState(SELF);
  private final List<String> split = new ArrayList<>();
  private final List<FlushedSequences> known = new ArrayList<>();

  @BeforeEach
  void serve() {
    state.advance(ServerState.Stage.SERVING);
  }

  @AfterEach
  void end() {
    timer.shutdownNow();
  }

  private WalSplits splits(WalSplitter splitter) {
    return new WalSplits(
        state,
        splitter,
        master,
        new ProcedureReporter(state, master, Runnable::run, timer),
        Runnable::run);
  }

  private static SplitOrder order(int part, long number) {
    return new SplitOrder(
        DEAD,
        new LogPart(LogKind.REGIONS, part),
        new FencingToken(EPOCH, 3),
        new FencingToken(EPOCH, number));
  }

  private WalSplitter complete() {
    return (directory, kind, parts, flushed, scratch) -> {
      split.add(directory + " " + scratch);
      parts.read(kind, Set.of());
    };
  }

  @Test
  void ordersWithOneScratchDirectoryAreOneReadingAndEachIsReported() {
    splits(complete()).begin(List.of(order(4, 11), order(9, 12)));
    assertThat(split).containsExactly("WALs/dead,16020,1-splitting .tmp/owner-1000/lent-3");
    assertThat(master.procedures)
        .extracting(RemoteProcedureResult::getProcId)
        .containsExactly(11L, 12L);
    assertThat(master.procedures)
        .allMatch(result -> result.getStatus() == Status.SUCCESS)
        .allMatch(result -> result.getInitiatingMasterActiveTime() == EPOCH);
  }

  @Test
  void theMasterTellsWhatStoreFilesHold() {
    master.flushed =
        GetLastFlushedSequenceIdResponse.newBuilder()
            .setLastFlushedSequenceId(4)
            .addStoreLastFlushedSequenceId(
                StoreSequenceId.newBuilder()
                    .setFamilyName(ByteString.copyFromUtf8("f"))
                    .setSequenceId(7))
            .build();
    splits(asking("region")).begin(List.of(order(4, 11)));
    assertThat(known).hasSize(1);
    assertThat(known.get(0).families())
        .extracting(family -> new String(family.name(), UTF_8) + family.sequence())
        .containsExactly("f7");
  }

  @Test
  void aMasterThatDoesNotAnswerIsAskedOnceForALogAndNothingIsLeftOut() {
    splits(
            (directory, kind, parts, flushed, scratch) -> {
              master.answer = new IOException("no master");
              known.add(flushed.flushedOf("region"));
              known.add(flushed.flushedOf("another"));
              master.answer = null;
              parts.read(kind, Set.of());
            })
        .begin(List.of(order(4, 11)));
    assertThat(known).containsExactly(FlushedSequences.NONE, FlushedSequences.NONE);
    assertThat(master.questions).containsExactly("region");
  }

  @Test
  void theLogOfMetaIsSplitWithoutAskingTheMaster() {
    splits(asking("1588230740"))
        .begin(
            List.of(
                new SplitOrder(
                    DEAD,
                    new LogPart(LogKind.META, 0),
                    new FencingToken(EPOCH, 3),
                    new FencingToken(EPOCH, 11))));
    assertThat(known).containsExactly(FlushedSequences.NONE);
    assertThat(master.questions).isEmpty();
  }

  private WalSplitter asking(String region) {
    return (directory, kind, parts, flushed, scratch) -> {
      known.add(flushed.flushedOf(region));
      parts.read(kind, Set.of());
    };
  }

  @Test
  void anOrderThatArrivesTwiceIsCarriedOutOnce() {
    WalSplits splits = splits(complete());
    splits.begin(List.of(order(4, 11)));
    splits.begin(List.of(order(4, 11)));
    assertThat(split).hasSize(1);
    assertThat(master.procedures).hasSize(1);
  }

  @Test
  void completePartsAreReportedBeforeAFailureAndTheRestAsFailed() {
    String region = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    int edited = LogPart.of(LogKind.REGIONS, region).index();
    int unedited = (edited + 1) % LogPart.REGION_PARTS;
    splits(
            (directory, kind, parts, flushed, scratch) -> {
              parts.read(kind, Set.of(region));
              throw new IOException("a broken disk");
            })
        .begin(List.of(order(edited, 11), order(unedited, 12)));
    assertThat(master.procedures)
        .extracting(RemoteProcedureResult::getProcId, RemoteProcedureResult::getStatus)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(12L, Status.SUCCESS),
            org.assertj.core.groups.Tuple.tuple(11L, Status.ERROR));
    assertThat(master.procedures.get(1).getError().getGenericException().getMessage())
        .contains("a broken disk");
  }

  @Test
  void aReportIsRepeatedUntilAMasterTakesIt() throws InterruptedException {
    CountDownLatch attempts = new CountDownLatch(3);
    master.answer = new IOException("no master");
    master.heard =
        () -> {
          attempts.countDown();
          if (attempts.getCount() == 0) {
            master.answer = null;
          }
        };
    splits(complete()).begin(List.of(order(4, 11)));
    assertThat(attempts.await(1, TimeUnit.MINUTES)).isTrue();
    timer.shutdown();
    assertThat(timer.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    assertThat(master.procedures).hasSize(1);
  }

  @Test
  void theLogOfALivingServerIsNotSplit() {
    SplitOrder own =
        new SplitOrder(
            SELF,
            new LogPart(LogKind.META, 0),
            new FencingToken(EPOCH, 3),
            new FencingToken(EPOCH, 11));
    assertThatThrownBy(() -> splits(complete()).check(own))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("self,16020,1");
    state.advance(ServerState.Stage.STOPPING);
    assertThatThrownBy(() -> splits(complete()).check(order(4, 11)))
        .hasMessageContaining("going down");
  }
}
