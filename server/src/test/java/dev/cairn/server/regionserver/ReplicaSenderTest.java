package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.region.RegionFiles;
import dev.cairn.engine.region.feed.FeedMemory;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.RegionMaintenance;
import dev.cairn.server.regionserver.replica.ReplicaLink;
import dev.cairn.server.regionserver.replica.ReplicaMessage;
import dev.cairn.server.regionserver.replica.ReplicaMetrics;
import dev.cairn.server.regionserver.replica.ReplicaReceiver;
import dev.cairn.server.regionserver.replica.ReplicaRefresh;
import dev.cairn.server.regionserver.replica.ReplicaSender;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplicaSenderTest {
  private static final ServerName SELF = new ServerName("self", 16020, 1);
  private static final ServerName OTHER = new ServerName("other", 16020, 1);

  private static final int TIMEOUTS_MAX = 5;

  private final ManualClock clock = new ManualClock();
  private final OnlineRegions regions = new OnlineRegions(SELF, clock);
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final List<String> told = new ArrayList<>();
  private final Set<String> regionsTold = new HashSet<>();
  private long version = 1;
  private int failures;
  private Runnable duringCall = () -> {};
  private int lookupFailures;
  private int lookupErrors;
  private int lookups;
  private int errors;
  private int rejections;
  private int calls;
  private int largestCall;
  private int timeouts;
  private long messageMillis;
  private final List<String> reopened = new ArrayList<>();
  private List<ServerName> places = List.of(OTHER);
  private boolean knowsMoves;

  private final ReplicaMetrics metrics = new ReplicaMetrics(regions, FeedMemory.NONE, clock);

  private final ReplicaSender notices =
      new ReplicaSender(
          SELF,
          regions,
          new Link(),
          new ReplicaReceiver(
              regions,
              new ReplicaRefresh(
                  regions, clock, new ReplicaRefresh.Periods(0, 0), 300_000, reopened::add),
              clock,
              metrics),
          region -> {},
          this::execute,
          clock,
          metrics);

  private void execute(Runnable task) {
    if (rejections-- > 0) {
      throw new RejectedExecutionException("all threads are busy");
    }
    tasks.add(task);
  }

  private final class Link implements ReplicaLink {
    @Override
    public List<Location> locate(RegionInfo region) throws IOException {
      lookups++;
      if (lookupFailures-- > 0) {
        throw new IOException("hbase:meta is not open");
      }
      if (lookupErrors-- > 0) {
        throw new IllegalStateException("a row of hbase:meta is damaged");
      }
      List<Location> locations = new ArrayList<>();
      for (ServerName place : places) {
        locations.add(new Location(region.replica(locations.size() + 1), place));
      }
      return locations;
    }

    @Override
    public boolean isOutdated(RegionInfo region, Supplier<List<Location>> located) {
      return knowsMoves && !located.get().stream().map(Location::server).toList().equals(places);
    }

    @Override
    public Optional<ServerName> locateRegion(RegionInfo region) {
      return Optional.empty();
    }

    @Override
    public long send(ServerName server, List<ReplicaMessage> messages) throws IOException {
      if (failures-- > 0) {
        throw new ConnectException("it does not answer");
      }
      if (errors-- > 0) {
        throw new AssertionError("a bug");
      }
      calls++;
      largestCall = Math.max(largestCall, messages.size());
      clock.advanceMillis(Math.min(10_000, messages.size() * messageMillis));
      if (messages.size() * messageMillis >= 10_000) {
        assertThat(++timeouts).isLessThan(TIMEOUTS_MAX);
        throw new CallTimeoutException("it has not answered in 10 s");
      }
      duringCall.run();
      messages.forEach(message -> regionsTold.add(message.region()));
      messages.forEach(message -> told.add(server.host() + " " + number(message.region())));
      return 0;
    }

    @Override
    public void greet(ServerName server, List<RegionInfo> replicas) {}

    @Override
    public void askForFlushes(ServerName server, List<RegionInfo> replicas) {}
  }

  /** Returns the number of a replica by its encoded name; 0 for that of another region. */
  private static int number(String replica) {
    for (String start : List.of("a", "b", "c", "d")) {
      for (int id = 1; id < 4; id++) {
        if (new FakeRegion(start).info.replica(id).encodedName().equals(replica)) {
          return id;
        }
      }
    }
    return 0;
  }

  @BeforeEach
  void open() {
    regions.opened(region(2));
  }

  private static TableSchema schema(int copies) {
    return new TableSchema(
        TableSchema.of(TableName.parse("t"), FamilySchema.of("f")).message().toBuilder()
            .addAttributes(
                HBaseProtos.BytesBytesPair.newBuilder()
                    .setFirst(Messages.wrap("REGION_REPLICATION".getBytes()))
                    .setSecond(Messages.wrap(Integer.toString(copies).getBytes())))
            .build());
  }

  private HostedRegion region(int copies) {
    return region("a", copies);
  }

  private HostedRegion region(String start, int copies) {
    FakeRegion fake = new FakeRegion(start);
    RegionMaintenance usual = fake.maintenance();
    TableSchema schema = schema(copies);
    return new HostedRegion(
        fake.info,
        schema,
        fake,
        fake,
        new RegionMaintenance(
            usual.flushes(),
            usual.compactions(),
            usual.splits(),
            usual.figures(),
            new RegionFiles(List.of()) {
              @Override
              public long version() {
                return version;
              }
            },
            usual.bulkLoads(),
            usual.snapshots(),
            usual.closing()));
  }

  /** Does what the server does in a time. */
  private void run(long millis) {
    for (long passed = 0; passed <= millis; passed += ReplicaSender.CHECK_MILLIS) {
      if (notices.isDue()) {
        notices.check();
      }
      while (!tasks.isEmpty()) {
        tasks.remove().run();
      }
      clock.advanceMillis(ReplicaSender.CHECK_MILLIS);
    }
  }

  @Test
  void tellsOfTheOpeningAndOfEachChange() {
    run(10_000);
    assertThat(told).containsExactly("other 1");
    version++;
    assertThat(notices.isDue()).isTrue();
    run(0);
    run(10_000);
    assertThat(told).hasSize(2);
  }

  @Test
  void aRegionWithoutReplicasIsNoWork() {
    regions.opened(region(1));
    run(0);
    assertThat(notices.isDue()).isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void aNoticeThatFailsIsRepeated() {
    failures = 2;
    lookupFailures = 1;
    run(900);
    assertThat(told).isEmpty();
    run(20_000);
    assertThat(told).containsExactly("other 1");
    assertThat(notices.isDue()).isFalse();
  }

  @Test
  void aChangeDuringACallIsToldAfterIt() {
    duringCall = () -> version = 2;
    run(20_000);
    assertThat(told).containsExactly("other 1", "other 1");
  }

  @Test
  void allServersAreTold() {
    places = List.of(OTHER, new ServerName("third", 16020, 1));
    run(0);
    assertThat(told).containsExactlyInAnyOrder("other 1", "third 2");
  }

  @Test
  void aReplicaThatIsKnownToHaveMovedIsToldWithoutAChange() {
    ServerName third = new ServerName("third", 16020, 1);
    run(10_000);
    places = List.of(third);
    run(10_000);
    assertThat(told).containsExactly("other 1");
    knowsMoves = true;
    assertThat(notices.isDue()).isTrue();
    run(0);
    assertThat(told).containsExactly("other 1", "third 1");
    assertThat(notices.isDue()).isFalse();
  }

  @Test
  void forgetsARegionThatLeaves() {
    run(0);
    HostedRegion region = regions.open().iterator().next();
    regions.beginClosing(region.encodedName());
    assertThat(notices.isDue()).isTrue();
    run(0);
    assertThat(notices.isDue()).isFalse();
  }

  @Test
  void aLookupThatMeetsAProgrammingErrorIsRepeated() {
    lookupErrors = 1;
    run(20_000);
    assertThat(told).containsExactly("other 1");
  }

  @Test
  void aCallThatMeetsAProgrammingErrorIsRepeated() {
    errors = 1;
    notices.check();
    tasks.remove().run(); // looks up the replicas
    assertThatThrownBy(() -> tasks.remove().run()).isInstanceOf(AssertionError.class);
    run(20_000);
    assertThat(told).containsExactly("other 1");
  }

  @Test
  void aCallThatNoThreadTakesIsRepeated() {
    rejections = 1;
    run(20_000);
    assertThat(told).containsExactly("other 1");
  }

  @Test
  void oneFailedLookupPostponesTheOthers() {
    for (String start : List.of("b", "c", "d")) {
      regions.opened(region(start, 2));
    }
    lookupFailures = 1;
    run(0);
    assertThat(lookups).isEqualTo(1);
    assertThat(told).isEmpty();
    run(20_000);
    assertThat(told).hasSize(4);
  }

  @Test
  void aServerThatCannotAnswerACallInTimeGetsSmallerOnes() {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      HostedRegion region = region("r%03d".formatted(i), 2);
      names.add(region.info().replica(1).encodedName());
      regions.opened(region);
    }
    messageMillis = 1_000;
    run(60_000);
    assertThat(regionsTold).containsAll(names);
    assertThat(timeouts).isPositive();
    assertThat(largestCall).isLessThanOrEqualTo(50);
    messageMillis = 0;
    calls = 0;
    version++;
    run(1_000);
    assertThat(calls).as("the server is fast again").isBetween(20, 30);
  }

  @Test
  void aRegionThatRefusesEveryCallHasNothingToTell() {
    regions.opened(HostedRegion.refused(new FakeRegion("a").info, schema(2), 1, "It is damaged"));
    run(20_000);
    assertThat(told).isEmpty();
    assertThat(notices.isDue()).isFalse();
  }

  @Test
  void aReplicaHereThatRefusesEveryCallIsOpenedAgainAndToldThen() {
    places = List.of(SELF, SELF);
    HostedRegion first = refusedReplica(1);
    HostedRegion second = refusedReplica(2);
    regions.opened(second);
    run(0);
    assertThat(reopened).as("the first is not here").containsOnly(second.encodedName());
    regions.opened(first);
    run(1_000);
    assertThat(reopened).contains(first.encodedName());
    run(20_000);
    assertThat(reopened).as("repeated").hasSizeGreaterThan(5);
  }

  private static HostedRegion refusedReplica(int id) {
    return HostedRegion.refused(
        new FakeRegion("a").info.replica(id), schema(2), 1, "A file is missing");
  }
}
