package dev.cairn.server.regionserver.client;

import static dev.cairn.engine.storage.FaultRule.Manner.DISK_FULL;
import static dev.cairn.engine.storage.FaultRule.Manner.NOT_DONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.FaultRule;
import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalConfig.WalRecovery;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.filter.TestFilters;
import dev.cairn.server.regionserver.FakeCall;
import dev.cairn.server.regionserver.FakeRegion;
import dev.cairn.server.regionserver.hosted.EngineErrors;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.WatchedWrites;
import dev.cairn.server.request.ConditionDecoder;
import dev.cairn.server.request.MutateMessage;
import dev.cairn.server.request.MutationDecoder;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.rpc.Waiting;
import dev.cairn.server.rpc.service.CallOutcome;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.RegionServerAbortedException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Mutations that the network thread begins, and those that it leaves to handlers. */
@Timeout(60)
class BegunMutationsTest {
  private static final byte[] ROW = Bytes.utf8("r");
  private static final byte[] F = Bytes.utf8("f");
  private static final byte[] N = Bytes.utf8("n");

  private final ManualClock clock = new ManualClock();
  private final Faults faults = new Faults(new SplittableRandom(7));
  private final Storage storage = new FaultyStorage(new MemoryStorage(clock), faults);
  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final OnlineRegions regions =
      new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  private final RegionInfo info =
      new RegionInfo(FakeRegion.SCHEMA.name(), Bytes.EMPTY, Bytes.EMPTY, 7);
  private final NonceManager nonces = new NonceManager(clock, 60_000, 1 << 20);
  private final MutateCalls calls =
      new MutateCalls(
          regions,
          new MutationDecoder(CellSizeLimit.of(0)),
          new ConditionDecoder(TestFilters.parser(getClass().getClassLoader())),
          new NonceGuard(nonces),
          new CallTimes(clock, 1_000));
  private GroupCommitWal wal;
  private Region region;

  @BeforeEach
  void open() throws IOException {
    WalConfig config =
        new WalConfig("WALs/s", "oldWALs", "s", SyncLevel.SYNCED, 1 << 20, 32, 1 << 20, 1_000_000);
    WalRecovery quick = new WalRecovery(2, 1_000_000, 1_000_000);
    wal =
        GroupCommitWal.open(
            storage, config.withRecovery(quick), clock, Thread::new, WalListener.NONE);
    StoreContext stores =
        new StoreContext(
            storage,
            new BlockCache(1 << 20, Runnable::run),
            clock,
            () -> "0123456789abcdef0123456789abcdef",
            EngineListener.NONE,
            StoreSettings.DEFAULTS);
    region =
        Region.open(
            info,
            FakeRegion.SCHEMA,
            new RegionContext("data", wal, stores, RegionSettings.DEFAULTS));
    regions.beginOpening(info);
    regions.opened(HostedRegion.of(region).under(List.of(WatchedWrites.layer(fatal::add))));
  }

  @AfterEach
  void close() throws IOException {
    faults.heal();
    region.close(true);
    if (fatal.isEmpty()) {
      wal.close();
    } else {
      assertThatThrownBy(wal::close).isInstanceOf(WalFailedException.class);
    }
  }

  @Test
  void anIncrementIsAnsweredWithItsSum() throws Exception {
    assertThat(sum(begun(increment(5, 1)))).isEqualTo(5);
    assertThat(sum(begun(increment(-7, 2)))).isEqualTo(-2);
  }

  @Test
  void cellsLieInTheMessageForClientsWithoutCellBlocks() throws Exception {
    FakeCall call = new FakeCall();
    call.acceptsCellBlock = false;
    MutateResponse response = answer(calls.mutate(call.inline("Mutate"), increment(5, 1)));
    assertThat(response.getResult().getCell(0).getValue().toByteArray()).isEqualTo(Bytes.ofLong(5));
  }

  @Test
  void anAppendIsAnsweredWithTheWholeValue() throws Exception {
    begun(append("a", 1));
    assertThat(Bytes.utf8(begun(append("b", 2)).response.get(0).value())).isEqualTo("ab");
  }

  @Test
  void whatWasDoneBeforeIsNotDoneAgain() throws Exception {
    begun(increment(5, 77));
    FakeCall again = new FakeCall();
    assertThat(calls.mutate(again.inline("Mutate"), increment(5, 77)))
        .isEqualTo(CallOutcome.declined());
    assertThat(FakeCall.answer(calls.mutate(again.handled(), increment(5, 77))).getProcessed())
        .isTrue();
    assertThat(sum(again)).isEqualTo(5);
    assertThat(sum(begun(increment(1, 78)))).isEqualTo(6);
  }

  @Test
  void whatHandlersDidIsNotDoneAgain() throws Exception {
    calls.mutate(new FakeCall(), increment(5, 77));
    assertThat(calls.mutate(inline(), increment(5, 77))).isEqualTo(CallOutcome.declined());
    assertThat(sum(begun(increment(1, 78)))).isEqualTo(6);
  }

  @Test
  void anIncrementOfNoNumberIsRefusedAndMayBeRepeated() throws Exception {
    answer(calls.mutate(inline(), put(F, "no number")));
    for (int i = 0; i < 2; i++) {
      assertThat(told(calls.mutate(inline(), increment(5, 77))))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("Field is not a long");
      assertThat(nonces.isRunning(1, 77)).isFalse();
      assertThatThrownBy(() -> calls.mutate(new FakeCall(), increment(5, 77)))
          .hasMessageContaining("Field is not a long");
    }
    answer(calls.mutate(inline(), put(F, "12345678")));
    begun(increment(1, 77));
  }

  @Test
  void aPutIntoAFamilyThatIsNotThereIsRefusedAtOnce() {
    assertThatThrownBy(() -> calls.mutate(inline(), put(N, "v")))
        .isInstanceOf(NoSuchColumnFamilyException.class);
  }

  @Test
  void aHandlerSaysWhatIsWrongWithAMutation() throws Exception {
    MutationProto negative =
        ProtobufUtil.toMutation(MutationType.PUT, new Put(ROW).addColumn(F, N, N)).toBuilder()
            .setTimestamp(-5)
            .build();
    MutationProto.Builder wrong = negative.toBuilder();
    wrong.getColumnValueBuilder(0).getQualifierValueBuilder(0).clearTimestamp();
    MutateMessage message = message(wrong.build());
    assertThat(calls.mutate(inline(), message)).isEqualTo(CallOutcome.declined());
    assertThatThrownBy(() -> calls.mutate(new FakeCall(), message))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("negative timestamp");
  }

  @Test
  void whatTheLogHasNoRoomForIsDoneOnceThereIs() throws Exception {
    begun(increment(5, 1));
    faults.add(FaultRule.of(StorageOperation.WRITE, StorageOperation.CREATE).how(DISK_FULL));
    CallOutcome<MutateResponse> begun = calls.mutate(inline(), increment(7, 2));
    assertThat(told(begun)).isInstanceOf(RegionTooBusyException.class);
    for (int i = 0; i < 3; i++) {
      assertThat(calls.mutate(inline(), increment(7, 2))).isEqualTo(CallOutcome.declined());
      assertThatThrownBy(() -> calls.mutate(new FakeCall(), increment(7, 2)))
          .isInstanceOf(RegionTooBusyException.class)
          .hasMessageContaining("nonce 2 waits for room on the disk");
      assertThatThrownBy(() -> calls.mutate(inline(), increment(1, 3)))
          .as("of another number")
          .isInstanceOf(RegionTooBusyException.class);
      assertThat(nonces.isRunning(1, 3)).isFalse();
    }
    faults.heal();
    Waiting.waitUntil(() -> !nonces.isRunning(1, 2));
    for (int i = 0; i < 2; i++) {
      FakeCall again = new FakeCall();
      assertThat(calls.mutate(again.inline("Mutate"), increment(7, 2)))
          .isEqualTo(CallOutcome.declined());
      assertThat(FakeCall.answer(calls.mutate(again.handled(), increment(7, 2))).getProcessed())
          .isTrue();
      assertThat(sum(again)).isEqualTo(12);
    }
    assertThat(sum(begun(increment(1, 3)))).isEqualTo(13);
    assertThat(fatal).isEmpty();
  }

  @Test
  void whatIsBegunWhenTheLogFailsIsNotDone() throws Exception {
    begun(increment(5, 1));
    faults.add(FaultRule.of(StorageOperation.WRITE, StorageOperation.CREATE).how(NOT_DONE));
    CallOutcome<MutateResponse> begun = calls.mutate(inline(), increment(7, 2));
    assertThat(told(begun)).isInstanceOf(RegionServerAbortedException.class);
    assertThat(fatal).hasSize(1).first().isInstanceOf(WalFailedException.class);
    assertThat(nonces.isRunning(1, 2)).isFalse();
    assertThatThrownBy(() -> calls.mutate(inline(), increment(7, 2)))
        .isInstanceOf(IOException.class);
    assertThat(nonces.isRunning(1, 2)).isFalse();
  }

  /** Returns what the client is told whose call fails. */
  private static Throwable told(CallOutcome<MutateResponse> attempt) {
    return EngineErrors.forClient(
        catchThrowableOfType(ExecutionException.class, () -> answer(attempt)).getCause());
  }

  private FakeCall begun(MutateMessage message) throws Exception {
    FakeCall call = new FakeCall();
    MutateResponse response = answer(calls.mutate(call.inline("Mutate"), message));
    assertThat(response.getProcessed()).isTrue();
    assertThat(response.getResult().getAssociatedCellCount()).isEqualTo(1);
    return call;
  }

  private static MutateResponse answer(CallOutcome<MutateResponse> attempt) throws Exception {
    assertThat(attempt).isInstanceOf(CallOutcome.Deferred.class);
    return ((CallOutcome.Deferred<MutateResponse>) attempt)
        .response()
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
  }

  private static FakeCall inline() {
    return new FakeCall().inline("Mutate");
  }

  private static long sum(FakeCall call) {
    return Bytes.getLong(call.response.get(0).value(), 0);
  }

  private MutateMessage put(byte[] family, String value) throws IOException {
    Put put = new Put(ROW).addColumn(family, N, Bytes.utf8(value));
    return message(ProtobufUtil.toMutation(MutationType.PUT, put));
  }

  private MutateMessage increment(long amount, long nonce) throws IOException {
    Increment increment = new Increment(ROW).addColumn(F, N, amount);
    return message(ProtobufUtil.toMutation(MutationType.INCREMENT, increment, nonce));
  }

  private MutateMessage append(String text, long nonce) throws IOException {
    Append append = new Append(ROW).addColumn(F, N, Bytes.utf8(text));
    return message(ProtobufUtil.toMutation(MutationType.APPEND, append, nonce));
  }

  private MutateMessage message(MutationProto mutation) throws IOException {
    return MutateMessage.parse(
        MutateRequest.newBuilder()
            .setRegion(Messages.specifier(info))
            .setNonceGroup(1)
            .setMutation(mutation)
            .build()
            .toByteArray());
  }
}
