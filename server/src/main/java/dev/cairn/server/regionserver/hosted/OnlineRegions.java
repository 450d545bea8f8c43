package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.request.RegionRequest;
import dev.cairn.server.rpc.service.CallSubject.RegionPart;
import dev.cairn.server.rpc.service.RpcCall;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * The regions of this server: which are open, which are on their way in or out, and where those
 * went that left a short while ago. A region's status changes only through the methods here.
 * Thread-safe; lookups take no lock.
 */
public final class OnlineRegions {
  /** The outcome of a request to open or close a region. */
  public enum Begun {
    /** It may go ahead. */
    YES,
    /** It was done before. */
    ALREADY_DONE,
    /** The same is under way. */
    UNDER_WAY,
    /** The opposite is under way. */
    BUSY
  }

  private sealed interface Status {
    record Opening(CompletableFuture<Boolean> accepted, boolean reporting) implements Status {}

    record Open(HostedRegion region) implements Status {}

    record Closing(
        HostedRegion region, CompletableFuture<Void> ended, Optional<ServerName> expectedAt)
        implements Status {}
  }

  private record Snapshot(long changes, List<HostedRegion> regions) {}

  private record Moved(ServerName to, long sequence, long untilMillis) {}

  /** The time for which a region's new location is kept, as in HBase. */
  private static final long MOVED_KEPT_MILLIS = 120_000;

  /** An opening that failed. */
  private record Failed(String reason, long untilMillis) {}

  /** The time for which clients of a region that did not open hear the reason. */
  private static final long FAILED_KEPT_MILLIS = 120_000;

  private record Expected(CompletableFuture<Boolean> opened, long untilMillis) {}

  /**
   * The time that {@link #awaitReported} waits for a region that the master knows to be open here
   * and that is about to be listed.
   */
  private static final long ACCEPTANCE_WAIT_MILLIS = 100;

  /**
   * The time that a call waits for a region on its way in or out. Otherwise the caller would retry
   * only after its pause, which grows with each attempt.
   */
  private static final long TRANSITION_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * The longest time that a call waits for a region that is expected here, for example while the
   * log of its former server is being recovered.
   */
  private static final long EXPECTED_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A call ends its wait this long before its caller gives up. */
  private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The time for which a region is expected here. */
  private static final long EXPECTED_MILLIS = 10_000;

  /** The characters of an encoded name. */
  private static final int ENCODED_LENGTH = 32;

  private final ServerName serverName;
  private final Clock clock;
  private final Map<String, Status> byEncodedName = new ConcurrentHashMap<>();
  private final Map<ByteString, HostedRegion> byName = new ConcurrentHashMap<>();
  private final Map<String, Moved> moved = new ConcurrentHashMap<>();
  private final Map<String, Expected> expected = new ConcurrentHashMap<>();
  private final Map<String, Failed> failed = new ConcurrentHashMap<>();

  /** The servers that expect regions that will close here. */
  private final Map<String, ServerName> early = new ConcurrentHashMap<>();

  /** Limits the calls that wait for regions: each occupies a handler. */
  private final Semaphore waiting;

  private final AtomicLong changes = new AtomicLong();

  /** The result of the last {@link #open}, which is asked several times a second. */
  private volatile Snapshot snapshot = new Snapshot(0, List.of());

  /** The requests of regions that have closed. */
  private final LongAdder pastReads = new LongAdder();

  private final LongAdder pastWrites = new LongAdder();

  /** Creates an empty registry, whose callers do not wait for regions. */
  public OnlineRegions(ServerName serverName, Clock clock) {
    this(serverName, clock, 0);
  }

  /**
   * Creates an empty registry.
   *
   * @param waitingMax the most calls that wait at a time for regions on their way in or out
   */
  public OnlineRegions(ServerName serverName, Clock clock, int waitingMax) {
    this.serverName = serverName;
    this.clock = clock;
    this.waiting = new Semaphore(waitingMax);
  }

  /**
   * Returns the open region that {@code specifier} names.
   *
   * @throws NotServingRegionException or one of its subclasses that names the region's server, or
   *     reports that the region is opening
   */
  public HostedRegion find(RegionSpecifier specifier) throws NotServingRegionException {
    boolean isEncoded = specifier.getType() == RegionSpecifierType.ENCODED_REGION_NAME;
    return find(specifier.getValue(), isEncoded, TRANSITION_WAIT_NANOS);
  }

  /**
   * Finds the region of a call, as {@link #find(RegionSpecifier)} does. If the region is expected
   * here, waits at most until shortly before the caller gives up. Does not wait if a replica may
   * answer the caller.
   *
   * @param deadlineNanos when the caller gives up, by the clock; {@link Long#MAX_VALUE} if unknown
   * @throws RegionTooBusyException if a replica may answer, and the region is in transition.
   *     HBase's clients then keep the locations of the region and its replicas. After {@link
   *     NotServingRegionException} they would forget the region's location. Each read would then
   *     look it up in {@code hbase:meta} before it asks a replica, one lookup at a time.
   */
  public HostedRegion find(RegionRequest request, long deadlineNanos)
      throws NotServingRegionException, RegionTooBusyException {
    if (request.isForReplicasToo()) {
      Optional<HostedRegion> open = ifOpen(request);
      return open.isPresent()
          ? open.get()
          : findAtOnce(encodedName(request.regionName(), request.hasEncodedName()));
    }
    long patience =
        deadlineNanos == Long.MAX_VALUE
            ? EXPECTED_WAIT_NANOS
            : Math.min(EXPECTED_WAIT_NANOS, deadlineNanos - clock.nanoTime() - ANSWER_NANOS);
    return find(request.regionName(), request.hasEncodedName(), patience);
  }

  private HostedRegion findAtOnce(String encodedName)
      throws NotServingRegionException, RegionTooBusyException {
    Status status = byEncodedName.get(encodedName);
    boolean isComing = status instanceof Status.Opening || coming(encodedName).isPresent();
    boolean isGoing = status instanceof Status.Closing closing && closing.expectedAt().isEmpty();
    if (!(status instanceof Status.Open) && (isComing || isGoing)) {
      throw new RegionTooBusyException(
          "Region " + encodedName + " is in transition at " + serverName + "; replicas may answer");
    }
    return find(encodedName, 0);
  }

  /** Finds a region, as {@link #find(RegionSpecifier)} does. */
  public HostedRegion find(RegionPart part) throws NotServingRegionException {
    return find(part.name(), part.hasEncodedName(), TRANSITION_WAIT_NANOS);
  }

  private HostedRegion find(ByteString name, boolean isEncoded, long patienceNanos)
      throws NotServingRegionException {
    HostedRegion region = isEncoded ? null : byName.get(name);
    if (region != null) {
      return region;
    }
    return find(encodedName(name, isEncoded), patienceNanos);
  }

  private static String encodedName(ByteString name, boolean isEncoded) {
    return isEncoded ? name.toStringUtf8() : encodedName(name.toByteArray());
  }

  /**
   * Returns the open region that {@code request} names; empty if this needs a wait, which the
   * budget does not allow.
   */
  public Optional<HostedRegion> find(RegionRequest request, RpcCall call)
      throws NotServingRegionException, RegionTooBusyException {
    if (call.budget().mayWait()) {
      return Optional.of(find(request, call.deadlineNanos()));
    }
    return ifOpen(request);
  }

  private Optional<HostedRegion> ifOpen(RegionRequest request) {
    return request.hasEncodedName()
        ? get(request.regionName().toStringUtf8())
        : Optional.ofNullable(byName.get(request.regionName()));
  }

  /** Returns the encoded name of the region of that name; the whole name if it is none. */
  public static String encodedName(byte[] name) {
    boolean truncated =
        name.length > 0 && name[name.length - 1] == '.' && name.length < ENCODED_LENGTH + 2;
    return truncated
        ? Bytes.toStringBinary(name)
        : org.apache.hadoop.hbase.client.RegionInfo.encodeRegionName(name);
  }

  /** As {@link #find(RegionSpecifier)}, by the encoded name. */
  public HostedRegion find(String encodedName) throws NotServingRegionException {
    return find(encodedName, TRANSITION_WAIT_NANOS);
  }

  /** As {@link #find(String)}. Does not wait for a region in transition. */
  public HostedRegion findOpen(String encodedName) throws NotServingRegionException {
    return find(encodedName, 0);
  }

  private HostedRegion find(String encodedName, long patienceNanos)
      throws NotServingRegionException {
    Status status = byEncodedName.get(encodedName);
    if (status instanceof Status.Open open) {
      return open.region();
    }
    if (status instanceof Status.Closing closing && closing.expectedAt().isPresent()) {
      throw moved(closing.expectedAt().get(), sequence(closing.region()));
    }
    if (awaitsTransition(encodedName, status, patienceNanos)) {
      status = byEncodedName.get(encodedName);
    }
    if (status instanceof Status.Open open) {
      return open.region();
    }
    if (status instanceof Status.Opening) {
      throw new RegionOpeningException(
          "Region " + encodedName + " is opening on " + serverName + lastFailure(encodedName));
    }
    if (status instanceof Status.Closing) {
      throw new NotServingRegionException("Region " + encodedName + " is closing on " + serverName);
    }
    Moved gone = moved.get(encodedName);
    if (gone != null && gone.untilMillis() > clock.currentTimeMillis()) {
      throw moved(gone.to(), gone.sequence());
    }
    throw new NotServingRegionException(
        "Region " + encodedName + " is not online on " + serverName + lastFailure(encodedName));
  }

  /** Returns why a region did not open here lately, for the message of an exception. */
  private String lastFailure(String encodedName) {
    Failed last = failed.get(encodedName);
    return last != null && last.untilMillis() > clock.currentTimeMillis()
        ? ". Its last opening failed: " + last.reason()
        : "";
  }

  private static RegionMovedException moved(ServerName to, long sequence) {
    return new RegionMovedException(
        org.apache.hadoop.hbase.ServerName.valueOf(to.host(), to.port(), to.startCode()), sequence);
  }

  /** Returns a number with which a client believes that a region has moved. */
  private static long sequence(HostedRegion region) {
    RegionStatistics now = region.figures().statistics();
    return Math.max(now.openSequence(), now.flushedSequence());
  }

  /**
   * Waits for a region on its way in or out, if few other calls do. Returns whether its status may
   * have changed.
   */
  private boolean awaitsTransition(String encodedName, Status status, long patienceNanos) {
    CompletableFuture<?> transition = null;
    long nanos = Math.min(TRANSITION_WAIT_NANOS, patienceNanos);
    if (status instanceof Status.Opening opening) {
      transition = opening.accepted();
    } else if (status instanceof Status.Closing closing) {
      transition = closing.ended();
    } else {
      Optional<Expected> coming = coming(encodedName);
      if (coming.isPresent()) {
        transition = coming.get().opened();
        nanos = patienceNanos;
      }
    }
    if (transition == null || nanos <= 0 || !waiting.tryAcquire()) {
      return false;
    }
    try {
      return await(transition, nanos);
    } finally {
      waiting.release();
    }
  }

  /** Returns the entry of a region that is expected here now. */
  private Optional<Expected> coming(String encodedName) {
    return Optional.ofNullable(expected.get(encodedName))
        .filter(region -> region.untilMillis() > clock.currentTimeMillis());
  }

  /**
   * Notes that a region will come here soon. Callers that its present server sends here wait for it
   * for a while.
   */
  public void expect(String encodedName) {
    long now = clock.currentTimeMillis();
    expected.values().removeIf(region -> region.untilMillis() <= now);
    expected.compute(
        encodedName,
        (name, before) ->
            new Expected(
                before == null ? new CompletableFuture<>() : before.opened(),
                now + EXPECTED_MILLIS));
  }

  /** Ends the wait of callers for an expected region. */
  private void came(String encodedName, boolean opened) {
    Expected region = expected.remove(encodedName);
    if (region != null) {
      region.opened().complete(opened);
    }
  }

  /** Returns the open region of that encoded name. */
  public Optional<HostedRegion> get(String encodedName) {
    return byEncodedName.get(encodedName) instanceof Status.Open open
        ? Optional.of(open.region())
        : Optional.empty();
  }

  /** Tells whether the region is open, opening or closing. */
  public boolean knows(String encodedName) {
    return byEncodedName.containsKey(encodedName);
  }

  /** Returns all open regions, in no order. */
  public Collection<HostedRegion> open() {
    long now = changes.get(); // before the copy, so that a later change makes another one
    Snapshot last = snapshot;
    if (last.changes() != now) {
      last = new Snapshot(now, List.copyOf(byName.values()));
      snapshot = last;
    }
    return last.regions();
  }

  /** Returns how many times a region has come online or has left since the start. */
  public long changes() {
    return changes.get();
  }

  /**
   * Waits for regions that are open and are being reported to the master, a tenth of a second each
   * at most. The master may end a split before its answer puts the daughters online here.
   */
  public void awaitReported() {
    for (Status status : byEncodedName.values()) {
      if (status instanceof Status.Opening opening && opening.reporting()) {
        await(opening.accepted(), TimeUnit.MILLISECONDS.toNanos(ACCEPTANCE_WAIT_MILLIS));
      }
    }
  }

  /** Tells whether a region is opening. */
  public boolean isAnyOpening() {
    return byEncodedName.values().stream().anyMatch(Status.Opening.class::isInstance);
  }

  /** Tells whether nothing is open, opening or closing. */
  public boolean isEmpty() {
    return byEncodedName.isEmpty();
  }

  /** Notes that a region begins to open. */
  public Begun beginOpening(RegionInfo info) {
    Status before =
        byEncodedName.putIfAbsent(
            info.encodedName(), new Status.Opening(new CompletableFuture<>(), false));
    if (before == null) {
      return Begun.YES;
    }
    if (before instanceof Status.Open) {
      return Begun.ALREADY_DONE;
    }
    return before instanceof Status.Opening ? Begun.UNDER_WAY : Begun.BUSY;
  }

  /** Records that an opening region is complete and is being reported to the master. */
  public void reporting(String encodedName) {
    byEncodedName.computeIfPresent(
        encodedName,
        (name, status) ->
            status instanceof Status.Opening opening
                ? new Status.Opening(opening.accepted(), true)
                : status);
  }

  /** Puts an opening region online. */
  public void opened(HostedRegion region) {
    moved.remove(region.encodedName());
    failed.remove(region.encodedName());
    early.remove(region.encodedName());
    Status before = byEncodedName.put(region.encodedName(), new Status.Open(region));
    list(region);
    if (before instanceof Status.Opening opening) {
      opening.accepted().complete(true);
    }
    came(region.encodedName(), true);
  }

  /**
   * Forgets a region whose opening failed. For a while, clients that ask for it hear the reason.
   *
   * @param reason a sentence without a full stop
   */
  public void openingFailed(String encodedName, String reason) {
    long now = clock.currentTimeMillis();
    failed.values().removeIf(last -> last.untilMillis() <= now);
    failed.put(encodedName, new Failed(reason, now + FAILED_KEPT_MILLIS));
    openingFailed(encodedName);
  }

  /** Forgets a region whose opening failed, or was given up. */
  public void openingFailed(String encodedName) {
    if (byEncodedName.remove(encodedName) instanceof Status.Opening opening) {
      opening.accepted().complete(false);
    }
    came(encodedName, false);
  }

  /**
   * Redirects callers of a region to {@code server}, which expects it, as soon as the region begins
   * to close. So the pause of their clients passes while the region closes.
   */
  public void redirectEarly(String encodedName, ServerName server) {
    early.put(encodedName, server);
  }

  /** Takes an open region offline, to close it. */
  public Begun beginClosing(String encodedName) {
    Status status = byEncodedName.get(encodedName);
    Optional<ServerName> next = Optional.ofNullable(early.remove(encodedName));
    if (status instanceof Status.Open open
        && byEncodedName.replace(
            encodedName,
            open,
            new Status.Closing(open.region(), new CompletableFuture<>(), next))) {
      byName.remove(open.region().name());
      changes.incrementAndGet();
      return Begun.YES;
    }
    Status now = byEncodedName.get(encodedName);
    if (now == null) {
      return Begun.ALREADY_DONE;
    }
    return now instanceof Status.Closing ? Begun.UNDER_WAY : Begun.BUSY;
  }

  /** Returns the region whose closing {@link #beginClosing} allowed. */
  public HostedRegion closing(String encodedName) {
    if (byEncodedName.get(encodedName) instanceof Status.Closing closing) {
      return closing.region();
    }
    throw new IllegalStateException("Region " + encodedName + " is not closing");
  }

  /** Puts a region online again whose closing failed. */
  public void closingFailed(HostedRegion region) {
    Status before = byEncodedName.put(region.encodedName(), new Status.Open(region));
    list(region);
    ended(before);
  }

  private static void ended(Status status) {
    if (status instanceof Status.Closing closing) {
      closing.ended().complete(null);
    }
  }

  /**
   * Forgets a region that is closed.
   *
   * @param destination its next server, if known, for clients
   * @param sequence a sequence number between this opening and the next one
   */
  public void closed(HostedRegion region, Optional<ServerName> destination, long sequence) {
    long now = clock.currentTimeMillis();
    moved.values().removeIf(gone -> gone.untilMillis() <= now);
    destination
        .filter(to -> !to.equals(serverName))
        .ifPresent(
            to ->
                moved.put(region.encodedName(), new Moved(to, sequence, now + MOVED_KEPT_MILLIS)));
    pastReads.add(region.readRequestCount());
    pastWrites.add(region.writeRequestCount());
    ended(byEncodedName.remove(region.encodedName()));
  }

  /** Returns the reads of all regions since the server started, also of those that have closed. */
  public long readRequestCount() {
    return pastReads.sum() + listed().mapToLong(HostedRegion::readRequestCount).sum();
  }

  /** Returns the writes of all regions since the server started, as {@link #readRequestCount}. */
  public long writeRequestCount() {
    return pastWrites.sum() + listed().mapToLong(HostedRegion::writeRequestCount).sum();
  }

  /** Returns the regions that are open or closing. */
  private Stream<HostedRegion> listed() {
    return byEncodedName.values().stream()
        .flatMap(
            status ->
                status instanceof Status.Open open
                    ? Stream.of(open.region())
                    : status instanceof Status.Closing closing
                        ? Stream.of(closing.region())
                        : Stream.empty());
  }

  private void list(HostedRegion region) {
    byName.put(region.name(), region);
    changes.incrementAndGet();
  }

  /** Waits; returns whether the transition has ended. */
  private boolean await(CompletableFuture<?> transition, long nanos) {
    try {
      return clock.await(transition, nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
