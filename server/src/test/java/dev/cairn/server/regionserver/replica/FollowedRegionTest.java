package dev.cairn.server.regionserver.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.RegionOpening;
import dev.cairn.engine.region.feed.FeedMemory;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.MetricRecord.Value;
import dev.cairn.server.metrics.MetricRegistry;
import dev.cairn.server.regionserver.FlushesTest;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.Flushes;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.regionserver.maintenance.MemStorePressure;
import dev.cairn.server.regionserver.replica.ReceivedMessages.Greeting;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A region at one server and its replica at another one, with the real messages between them. The
 * test does what the servers' threads do.
 */
class FollowedRegionTest {
  private static final ServerName OWNER = new ServerName("owner", 16020, 1);
  private static final ServerName OTHER = new ServerName("other", 16020, 1);
  private static final byte[] F = Bytes.utf8("f");
  private static final RegionInfo INFO =
      new RegionInfo(TableName.parse("t"), Bytes.EMPTY, Bytes.EMPTY, 7);
  private static final long FEED_BYTES = 20_000;
  private static final long MEMSTORE_BYTES = 100_000;

  private final ManualClock clock = new ManualClock();
  private final MemoryStorage storage = new MemoryStorage(clock);
  private final BlockCache cache = new BlockCache(1 << 20, Runnable::run);
  private final AtomicLong names = new AtomicLong();
  private final FeedMemory feeds = new FeedMemory(FEED_BYTES, FEED_BYTES);
  private final OnlineRegions owned = new OnlineRegions(OWNER, clock);
  private final OnlineRegions copied = new OnlineRegions(OTHER, clock);
  private final ReplicaMetrics ofOwner = new ReplicaMetrics(owned, feeds, clock);
  private final ReplicaMetrics ofOther = new ReplicaMetrics(copied, FeedMemory.NONE, clock);
  private final MemStorePressure pressure =
      new MemStorePressure(
          copied,
          flushes(),
          new MaintenanceSettings(1 << 20, MEMSTORE_BYTES, 0.95, 90_000, 1, 1, true, 1),
          clock);
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final List<Wal> wals = new ArrayList<>();
  private final ReplicaReceiver receiver =
      new ReplicaReceiver(
          copied,
          new ReplicaRefresh(copied, clock, new ReplicaRefresh.Periods(0, 0), 300_000, name -> {}),
          clock,
          ofOther);
  private final ReplicaSender sender = sender(OWNER, owned, ofOwner);

  private boolean isCut;
  private boolean losesMessages;
  private Runnable duringCall = () -> {};
  private int flushed;
  private int asked;
  private boolean hasFailedFlush;
  private Region region;
  private HostedRegion replica;

  private Flushes flushes() {
    return FlushesTest.make(Runnable::run, clock, failure -> {});
  }

  private ReplicaSender sender(ServerName self, OnlineRegions regions, ReplicaMetrics metrics) {
    return new ReplicaSender(
        self, regions, new Link(), null, this::flush, tasks::add, clock, metrics);
  }

  private void flush(HostedRegion due) {
    flushed++;
    try {
      due.flushes().flush(FlushScope.ALL);
    } catch (IOException e) {
      hasFailedFlush = true;
    }
  }

  /** The network, which may be cut, or lose messages without a trace. */
  private class Link implements ReplicaLink {
    @Override
    public List<Location> locate(RegionInfo of) {
      return List.of(new Location(of.replica(1), OTHER));
    }

    @Override
    public Optional<ServerName> locateRegion(RegionInfo of) {
      return Optional.of(OWNER);
    }

    @Override
    public long send(ServerName server, List<ReplicaMessage> messages) throws IOException {
      if (isCut) {
        throw new ConnectException("it does not answer");
      }
      byte[] wire = ReplayRequests.messages(messages).toByteArray();
      if (!losesMessages) {
        receiver.receive(
            ReceivedMessages.read(ReplicateWALEntryRequest.parseFrom(wire)).messages());
      }
      duringCall.run();
      return wire.length;
    }

    @Override
    public void greet(ServerName server, List<RegionInfo> replicas) throws IOException {}

    @Override
    public void askForFlushes(ServerName server, List<RegionInfo> replicas) throws IOException {
      assertThat(server).isEqualTo(OWNER);
      byte[] wire = ReplayRequests.flushes(replicas).toByteArray();
      ReceivedMessages received = ReceivedMessages.read(ReplicateWALEntryRequest.parseFrom(wire));
      assertThat(received.messages()).isEmpty();
      asked += received.flushes().size();
      sender.flushAsked(received.flushes());
    }
  }

  @BeforeEach
  void open() throws IOException {
    region = own(owned, "owner");
    replica = follow(1);
    run(1_000);
  }

  private HostedRegion follow(int replicaId) throws IOException {
    RegionInfo info = INFO.replica(replicaId);
    RegionContext context = context(log("of " + replicaId)).within(pressure);
    try (RegionOpening opening = RegionOpening.read(info, schema(), context, (nonce, time) -> {})) {
      HostedRegion opened = HostedRegion.of(opening.follow());
      copied.beginOpening(info);
      copied.opened(opened);
      return opened;
    }
  }

  @AfterEach
  void close() throws IOException {
    replica.close(true);
    region.close(true);
    for (Wal wal : wals) {
      wal.close();
    }
  }

  private Region own(OnlineRegions regions, String server) throws IOException {
    Region opened = Region.open(INFO, schema(), context(log(server)));
    regions.beginOpening(INFO);
    regions.opened(HostedRegion.of(opened));
    return opened;
  }

  private static TableSchema schema() {
    return new TableSchema(
        TableSchema.of(TableName.parse("t"), FamilySchema.of("f")).message().toBuilder()
            .addAttributes(
                HBaseProtos.BytesBytesPair.newBuilder()
                    .setFirst(Messages.wrap(Bytes.utf8("REGION_REPLICATION")))
                    .setSecond(Messages.wrap(Bytes.utf8("2"))))
            .build());
  }

  private Wal log(String server) throws IOException {
    Wal wal =
        GroupCommitWal.open(
            storage,
            new WalConfig("WALs/" + server, "oldWALs", server, SyncLevel.SYNCED, 1 << 20, 32),
            clock,
            task -> {
              Thread thread = new Thread(task, "test-wal");
              thread.setDaemon(true);
              return thread;
            },
            WalListener.NONE);
    wals.add(wal);
    return wal;
  }

  private RegionContext context(Wal wal) {
    StoreContext stores =
        new StoreContext(
            storage,
            cache,
            clock,
            () -> "%032x".formatted(names.incrementAndGet()),
            EngineListener.NONE,
            StoreSettings.DEFAULTS);
    return new RegionContext("data", wal, stores, RegionSettings.DEFAULTS).feeding(feeds);
  }

  private void put(Region at, String row, int valueBytes) throws IOException {
    CellBuffer cells = new CellBuffer();
    cells.add(Cell.put(Bytes.utf8(row), F, F, 1, new byte[valueBytes]));
    at.write(Mutation.put(Bytes.utf8(row), cells), WriteBudget.UNLIMITED).join();
  }

  private void put(String row) throws IOException {
    put(region, row, 1_000);
  }

  private void put(int rows) throws IOException {
    for (int i = 0; i < rows; i++) {
      put("row%04d".formatted(i));
    }
  }

  /** Runs the checks of the region's server for some time. */
  private void run(long millis) {
    run(sender, millis);
  }

  private void run(ReplicaSender from, long millis) {
    for (long passed = 0; passed <= millis; passed += ReplicaSender.CHECK_MILLIS) {
      if (from.isDue()) {
        from.check();
      }
      while (!tasks.isEmpty()) {
        tasks.remove().run();
      }
      clock.advanceMillis(ReplicaSender.CHECK_MILLIS);
    }
  }

  private boolean replicaHas(String row) throws IOException {
    CellBuffer found = new CellBuffer();
    replica.reads(1).row(ScanRequest.row(Bytes.utf8(row)).build(), found, ReadBudget.WHOLE_ROWS);
    return !found.isEmpty();
  }

  /** Returns the value of a metric. */
  private long value(ReplicaMetrics metrics, String name) {
    return new MetricRegistry(clock, () -> "host", () -> metrics.sources(OWNER))
        .read().stream()
            .flatMap(record -> record.samples().stream())
            .filter(sample -> sample.metric().name().equals(name))
            .map(MetricRecord.Sample::value)
            .mapToLong(
                value ->
                    value instanceof Value.Distribution times
                        ? times.reading().total().count()
                        : ((Value.Whole) value).number())
            .findFirst()
            .orElseThrow();
  }

  @Test
  void aChangeReachesTheReplicaWithoutAFlush() throws IOException {
    put("a");
    assertThat(value(ofOwner, "source.walReaderEditsBufferUsage")).isGreaterThan(1_000);
    clock.advanceMillis(70);
    assertThat(value(ofOwner, "source.ageOfOldestQueuedEdit")).isEqualTo(70);
    run(100);
    assertThat(replicaHas("a")).isTrue();
    assertThat(flushed).isZero();
    assertThat(value(ofOwner, "source.shippedBatches")).isEqualTo(1);
    assertThat(value(ofOwner, "source.shippedOps")).isEqualTo(1);
    assertThat(value(ofOwner, "source.shippedBytes")).isGreaterThan(1_000);
    assertThat(value(ofOwner, "Source.ageOfLastShippedOp")).isEqualTo(1);
    assertThat(value(ofOwner, "source.walReaderEditsBufferUsage")).isZero();
    assertThat(value(ofOwner, "source.ageOfOldestQueuedEdit")).isZero();
    assertThat(value(ofOther, "sink.appliedBatches")).isEqualTo(1);
    assertThat(value(ofOther, "sink.appliedOps")).isEqualTo(1);
    assertThat(value(ofOther, "sink.appliedBytes")).isGreaterThan(1_000);
    assertThat(value(ofOther, "Sink.ageOfLastAppliedOp")).isEqualTo(1);
    assertThat(value(ofOther, "sink.memStoreSize")).isGreaterThan(1_000);
    assertThat(value(ofOther, "Replay")).as("the opening's notice, too").isGreaterThan(1);
    assertThat(value(ofOwner, "source.failedBatches")).isZero();
    assertThat(value(ofOther, "sink.failedBatches")).isZero();
  }

  @Test
  void aReplicaThatMissedAMessageHasItAfterAFlush() throws IOException {
    losesMessages = true;
    put("a");
    run(100);
    losesMessages = false;
    put("b");
    run(5_000);
    assertThat(replicaHas("a")).isTrue();
    assertThat(replicaHas("b")).isTrue();
    assertThat(flushed).isEqualTo(1);
    assertThat(value(ofOther, "sink.gaps")).isPositive();
    assertThat(value(ofOwner, "source.failedBatches")).isPositive();
    assertThat(value(ofOwner, "source.flushRequests")).isEqualTo(1);
    put("c");
    run(100);
    assertThat(replicaHas("c")).isTrue();
    assertThat(flushed).as("no further flush").isEqualTo(1);
  }

  @Test
  void aFullBufferDropsChangesThatTheReplicaGetsWithAFlush() throws IOException {
    isCut = true;
    put("a");
    run(100);
    put(50);
    run(60_000);
    assertThat(feeds.bytes()).isBetween(1L, FEED_BYTES);
    assertThat(value(ofOwner, "source.droppedEdits")).isBetween(20L, 49L);
    assertThat(flushed).as("a flush helps no replica that is not told of it").isZero();
    isCut = false;
    run(60_000);
    assertThat(replicaHas("row0000")).isTrue();
    assertThat(replicaHas("row0049")).isTrue();
    assertThat(flushed).isEqualTo(1);
    put("c");
    run(100);
    assertThat(replicaHas("c")).isTrue();
    assertThat(flushed).as("no further flush").isEqualTo(1);
  }

  /**
   * The regions of a server that gives up are listed until it ends, and a series of calls goes on.
   */
  @Test
  void aRegionThatClosesWithoutAFlushDoesNotClaimToHaveFlushed() throws IOException {
    put("in a file");
    region.flush();
    put("a");
    run(100);
    AtomicInteger calls = new AtomicInteger();
    duringCall =
        () -> {
          calls.incrementAndGet();
          try {
            region.close(true);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    put("b");
    run(60_000);
    assertThat(calls).hasValue(1);
    assertThat(replicaHas("a")).isTrue();
    assertThat(replicaHas("b")).isTrue();
  }

  @Test
  void aFormerOwnerIsRefused() throws IOException {
    ServerName third = new ServerName("third", 16020, 1);
    region.flush();
    OnlineRegions ofThird = new OnlineRegions(third, clock);
    Region next = own(ofThird, "third");
    ReplicaSender nextSender =
        sender(third, ofThird, new ReplicaMetrics(ofThird, FeedMemory.NONE, clock));
    run(nextSender, 1_000);
    put("of the former owner");
    run(100);
    assertThat(value(ofOther, "sink.failedBatches")).isPositive();
    assertThat(replicaHas("of the former owner")).isFalse();
    put(next, "of the next owner", 1);
    run(nextSender, 100);
    assertThat(replicaHas("of the next owner")).isTrue();
    run(60_000);
    assertThat(hasFailedFlush).as("the former owner is fenced").isTrue();
    assertThat(replicaHas("of the former owner")).isFalse();
    next.close(true);
  }

  @Test
  void aReplicaWithoutMemoryGetsItsChangesFromFiles() throws IOException {
    long held = 0;
    for (int i = 0; value(ofOther, "sink.memoryRefusals") == 0; i++) {
      held = pressure.replicaBytes();
      assertThat(pressure.heldBytes()).isEqualTo(held);
      assertThat(i).as("rows of 1,000 bytes in %d bytes", MEMSTORE_BYTES).isLessThan(100);
      put("row%04d".formatted(i));
      run(100);
      pressure.check();
    }
    assertThat(held).isBetween(MEMSTORE_BYTES / 2, MEMSTORE_BYTES);
    pressure.reserve(1_000); // a write of a region of the replica's server
    pressure.release(1_000);
    put("last");
    run(20_000);
    assertThat(replicaHas("last")).isTrue();
    assertThat(flushed).isEqualTo(1);
    pressure.check();
    assertThat(pressure.replicaBytes()).isLessThan(held / 10);
    put("later");
    run(100);
    assertThat(replicaHas("later")).isTrue();
    assertThat(flushed).as("no further flush").isEqualTo(1);
  }

  @Test
  void aReplicaThatIsOpenedAgainGetsItsChangesWithoutAFlush() throws IOException {
    put("a");
    run(100);
    copied.beginClosing(replica.encodedName());
    put("b");
    run(5_000);
    copied.closingFailed(replica);
    run(20_000);
    assertThat(replicaHas("b")).isTrue();
    assertThat(flushed).isZero();
  }

  @Test
  void theFirstRegionThatIsElsewhereDoesNotKeepOthersFromTheirReplicas() throws IOException {
    put("a");
    run(100);
    long told = value(ofOther, "Replay");
    assertThatThrownBy(
            () ->
                sender.greeted(
                    List.of(new Greeting("elsewhere", 1), new Greeting(INFO.encodedName(), 1))))
        .isInstanceOf(NotServingRegionException.class);
    run(20_000);
    assertThat(value(ofOther, "Replay")).as("told anew").isGreaterThan(told);
    int before = flushed;
    assertThatThrownBy(() -> sender.flushAsked(List.of("elsewhere", INFO.encodedName())))
        .isInstanceOf(NotServingRegionException.class);
    run(100);
    assertThat(flushed).isEqualTo(before + 1);
  }

  @Test
  void aReplicaWaitsWhileItsRegionsServerFails() throws IOException {
    HostedRegion waiting = follow(2);
    IOException[] refusal = {new DoNotRetryIOException("java.lang.NullPointerException")};
    ReplicaGreeter greeter =
        new ReplicaGreeter(
            OTHER,
            copied,
            new Link() {
              @Override
              public void greet(ServerName server, List<RegionInfo> replicas) throws IOException {
                assertThat(replicas).containsExactly(waiting.info());
                throw refusal[0];
              }
            },
            null,
            clock);
    greeter.check();
    assertThat(waiting.replica().orElseThrow().awaitsRegion()).isTrue();
    clock.advanceMillis(10_000);
    assertThat(greeter.isDue()).as("repeats").isTrue();
    refusal[0] = new DoNotRetryIOException(INFO.regionNameAsString() + " is no replica");
    greeter.check();
    assertThat(waiting.replica().orElseThrow().awaitsRegion()).as("of version 0.1.0").isFalse();
    waiting.close(true);
  }

  /** Another replica needs the memory; this one's region takes no more writes. */
  @Test
  void aReplicaThatHoldsTooMuchMemoryAsksForAFlush() throws IOException {
    ReplicaFlushes flushes =
        new ReplicaFlushes(OTHER, pressure::replicasToFlush, new Link(), null, clock);
    pressure.check();
    long empty = pressure.replicaBytes();
    for (int i = 0; pressure.replicaBytes() <= MEMSTORE_BYTES / 2; i++) {
      assertThat(flushes.isDue()).isFalse();
      put("row%04d".formatted(i));
      run(100);
      pressure.check();
    }
    assertThat(flushed).isZero();
    assertThat(flushes.isDue()).isTrue();
    flushes.check();
    assertThat(flushes.isDue()).as("just asked").isFalse();
    run(1_000);
    assertThat(flushed).isEqualTo(1);
    pressure.check();
    assertThat(pressure.replicaBytes()).isEqualTo(empty);
    clock.advanceMillis(60_000);
    assertThat(flushes.isDue()).isFalse();
    assertThat(asked).isEqualTo(1);
    assertThat(replicaHas("row0000")).isTrue();
  }

  @Test
  void aFlushThatDidNotComeIsAskedForAgain() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    ReplicaFlushes flushes =
        new ReplicaFlushes(
            OTHER,
            () -> List.of(replica),
            new Link() {
              @Override
              public void askForFlushes(ServerName server, List<RegionInfo> replicas)
                  throws IOException {
                calls.incrementAndGet();
                throw new ConnectException("it does not answer");
              }
            },
            null,
            clock);
    for (int i = 0; i < 30; i++) {
      if (flushes.isDue()) {
        flushes.check();
      }
      clock.advanceMillis(ReplicaFlushes.CHECK_MILLIS);
    }
    assertThat(calls).hasValue(3);
  }
}
