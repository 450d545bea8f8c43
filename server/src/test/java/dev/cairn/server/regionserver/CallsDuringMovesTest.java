package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.request.RegionRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.exceptions.ClientExceptionsUtil;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call waits for a region on its way in or out, instead of sending its client into a pause. */
class CallsDuringMovesTest {
  private static final ServerName SELF = new ServerName("localhost", 16020, 1);
  private static final ServerName THERE = new ServerName("localhost", 16021, 2);

  private final OnlineRegions regions = new OnlineRegions(SELF, Clock.SYSTEM, 1);
  private final HostedRegion region = new FakeRegion("").hosted();
  private final String name = region.encodedName();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  /** Begins a call, and returns once it waits. */
  private CompletableFuture<HostedRegion> call() {
    return call(() -> regions.find(name));
  }

  private CompletableFuture<HostedRegion> call(Callable<HostedRegion> find) {
    CompletableFuture<Thread> caller = new CompletableFuture<>();
    CompletableFuture<HostedRegion> found =
        CompletableFuture.supplyAsync(
            () -> {
              caller.complete(Thread.currentThread());
              try {
                return find.call();
              } catch (Exception e) {
                throw new CompletionException(e);
              }
            },
            threads);
    Awaitility.await()
        .until(() -> found.isDone() || caller.join().getState() == Thread.State.TIMED_WAITING);
    return found;
  }

  @Test
  void aCallWaitsForARegionThatOpens() {
    regions.beginOpening(region.info());
    CompletableFuture<HostedRegion> call = call();
    assertThat(call).isNotDone();
    regions.opened(region);
    assertThat(call.join()).isSameAs(region);
  }

  @Test
  void aCallWaitsForARegionThatIsExpected() {
    regions.expect(name);
    CompletableFuture<HostedRegion> call = call();
    assertThat(call).isNotDone();
    regions.beginOpening(region.info());
    regions.opened(region);
    assertThat(call.join()).isSameAs(region);
  }

  @Test
  void aCallStillWaitsIfTheRegionIsExpectedOnceMore() {
    regions.expect(name);
    CompletableFuture<HostedRegion> call = call();
    regions.expect(name);
    regions.beginOpening(region.info());
    regions.opened(region);
    assertThat(call.join()).isSameAs(region);
  }

  /** A request for the region. */
  private record Request(ByteString regionName, boolean isForReplicasToo) implements RegionRequest {
    @Override
    public boolean hasEncodedName() {
      return true;
    }
  }

  @Test
  void aCallWaitsForAnExpectedRegionUntilItsCallerGivesUp() {
    regions.expect(name);
    Request request = new Request(ByteString.copyFromUtf8(name), false);
    long begun = System.nanoTime();
    long deadline = begun + Duration.ofMillis(300).toNanos();
    assertThatThrownBy(() -> regions.find(request, deadline))
        .isExactlyInstanceOf(NotServingRegionException.class);
    assertThat(System.nanoTime() - begun).isGreaterThan(Duration.ofMillis(150).toNanos());
    assertThat(call(() -> regions.find(request, begun)))
        .as("a call whose caller has given up")
        .isCompletedExceptionally();
  }

  @Test
  void aReadThatAReplicaMayAnswerDoesNotWait() throws IOException {
    Request read = new Request(ByteString.copyFromUtf8(name), true);
    regions.expect(name);
    assertKeepsPlaces(read);
    regions.beginOpening(region.info());
    assertKeepsPlaces(read);
    regions.opened(region);
    assertThat(regions.find(read, Long.MAX_VALUE)).isSameAs(region);
    regions.beginClosing(name);
    assertKeepsPlaces(read);
    regions.closed(region, Optional.of(THERE), 5);
    assertThatThrownBy(() -> regions.find(read, Long.MAX_VALUE))
        .isInstanceOf(RegionMovedException.class);
  }

  /** Checks that HBase's client still knows the locations of the replicas after the error. */
  private void assertKeepsPlaces(Request read) {
    assertThatThrownBy(() -> regions.find(read, Long.MAX_VALUE))
        .satisfies(
            error -> assertThat(ClientExceptionsUtil.isMetaClearingException(error)).isFalse());
  }

  @Test
  void aCallIsSentOnOnceARegionHasClosed() {
    regions.beginOpening(region.info());
    regions.opened(region);
    regions.beginClosing(name);
    CompletableFuture<HostedRegion> call = call();
    assertThat(call).isNotDone();
    regions.closed(region, Optional.of(THERE), 5);
    assertThatThrownBy(call::join).hasCauseInstanceOf(RegionMovedException.class);
  }

  @Test
  void aCallIsSentOnAtOnceIfTheNextServerExpectsTheRegion() {
    regions.beginOpening(region.info());
    regions.opened(region);
    regions.redirectEarly(name, THERE);
    assertThat(regions.get(name)).contains(region);
    regions.beginClosing(name);
    assertThatThrownBy(() -> regions.find(name))
        .isInstanceOfSatisfying(
            RegionMovedException.class, moved -> assertThat(moved.getPort()).isEqualTo(16021));
    regions.closingFailed(region);
    assertThat(regions.get(name)).contains(region);
    regions.beginClosing(name);
    assertThat(call()).as("it has failed once").isNotDone();
  }

  @Test
  void aCallFindsARegionThatCouldNotClose() {
    regions.beginOpening(region.info());
    regions.opened(region);
    regions.beginClosing(name);
    CompletableFuture<HostedRegion> call = call();
    regions.closingFailed(region);
    assertThat(call.join()).isSameAs(region);
  }

  @Test
  void fewCallsWait() {
    regions.beginOpening(region.info());
    CompletableFuture<HostedRegion> first = call();
    assertThatThrownBy(() -> regions.find(name)).isInstanceOf(RegionOpeningException.class);
    assertThat(first).isNotDone();
    regions.openingFailed(name);
    assertThatThrownBy(first::join).hasCauseInstanceOf(NotServingRegionException.class);
  }

  @Test
  void aCallDoesNotWaitForARegionThatNobodyExpects() {
    assertThatThrownBy(() -> regions.find(name))
        .isExactlyInstanceOf(NotServingRegionException.class);
  }
}
