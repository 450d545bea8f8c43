package dev.cairn.server.regionserver.client;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scanners that clients may continue, each while its lease lasts: at most {@code leaseMillis}
 * from one call's end to the next one's begin. Thread-safe.
 *
 * <p>Between two calls a scanner keeps its blocks, so that the next call continues at once. It
 * releases them after a second, or immediately while many scanners are open. The next call then
 * seeks to its place again, which takes a few microseconds per file.
 */
public final class OpenScanners {
  private static final Logger LOG = LoggerFactory.getLogger(OpenScanners.class);

  /** The maximum number of expired leases that are logged one by one each time. */
  private static final int TOLD_MAX = 20;

  /** The time for which a scanner keeps its blocks between two calls. */
  private static final long KEEP_BLOCKS_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** While more scanners than this are open, they keep no blocks between two calls. */
  private static final int WITH_BLOCKS_MAX = 128;

  /** The number of finished scanners that are remembered; a power of two. */
  private static final int REMEMBERED = 1 << 14;

  /** Open scanners may take one quarter of the memory for calls. */
  private static final int SHARE_PARTS = 4;

  private final Clock clock;
  private final long leaseMillis;
  private final MemoryAccount memory;
  private final long scannersMax;
  private final AtomicLong lastId;
  private final Map<Long, OpenScanner> scanners = new ConcurrentHashMap<>();
  private final LongAdder expiredCount = new LongAdder();

  /** The ids that came to their end last, each in the slot that its low bits name. */
  private final AtomicLongArray finished = new AtomicLongArray(REMEMBERED);

  /** The {@link OpenScanner#nextCallSequence} of each finished scanner, in the same slots. */
  private final AtomicLongArray finishedSequences = new AtomicLongArray(REMEMBERED);

  /**
   * Creates an empty registry.
   *
   * @param firstId where ids begin. Different for each start of a server, so that a client which
   *     comes from before is not taken for another one
   * @param memory the account from which kept scanners borrow
   */
  public OpenScanners(Clock clock, long leaseMillis, long firstId, MemoryAccount memory) {
    this.clock = clock;
    this.leaseMillis = leaseMillis;
    this.memory = memory;
    this.scannersMax = memory.limitBytes() / SHARE_PARTS / OpenScanner.KEPT_BYTES;
    this.lastId = new AtomicLong(firstId);
  }

  /** Returns the region of a scanner that is open. */
  public Optional<HostedRegion> regionOf(long id) {
    return Optional.ofNullable(scanners.get(id)).map(OpenScanner::region);
  }

  /** Tells whether no scanner is open. */
  public boolean isEmpty() {
    return scanners.isEmpty();
  }

  /** Returns a new id. */
  long newId() {
    return lastId.incrementAndGet();
  }

  /** Returns how long a client may stay away, milliseconds. */
  long leaseMillis() {
    return leaseMillis;
  }

  /**
   * Returns the scanner of that id and gives it to the caller, which ends with {@link #keep} or
   * {@link #end}.
   */
  OpenScanner enter(long id, OptionalLong sequence) throws IOException {
    OpenScanner scanner = scanners.get(id);
    if (scanner == null) {
      throw unknown(id);
    }
    scanner.enter(sequence);
    return scanner;
  }

  private UnknownScannerException unknown(long id) {
    return new UnknownScannerException(
        "Unknown scanner '"
            + id
            + "'. It was closed, or it is of another server or from before a restart, or its"
            + " lease expired because more than "
            + leaseMillis
            + " ms (hbase.client.scanner.timeout.period) passed between two calls");
  }

  /**
   * Borrows the memory that a scanner needs between two calls, unless the scanner has it.
   *
   * @throws RegionTooBusyException if too many scanners are open
   * @throws MemoryShortageException if there is no memory for another scanner
   */
  void admit(OpenScanner scanner) throws RegionTooBusyException {
    if (scanner.hasBorrowed()) {
      return;
    }
    if (scanners.size() >= scannersMax) {
      throw new RegionTooBusyException(
          "The server has "
              + scannersMax
              + " open scanners, as many as its heap has room for; close some, try again, or give"
              + " the server a larger heap");
    }
    scanner.borrow(memory);
  }

  /**
   * Keeps a scanner for the client's next call.
   *
   * @throws RegionTooBusyException if too many scanners are open; it is not kept then
   * @throws MemoryShortageException if there is no memory for another scanner; it is not kept then
   */
  void keep(OpenScanner scanner) throws RegionTooBusyException {
    admit(scanner);
    scanners.put(scanner.id(), scanner);
    if (scanners.size() > WITH_BLOCKS_MAX) {
      scanner.scanner().suspend();
    }
    scanner.leave(clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(leaseMillis));
  }

  /**
   * Ends a scanner that has given all it had, or that its client closed; {@link #isFinished} knows
   * it for a while.
   */
  void finish(OpenScanner scanner) {
    int slot = slot(scanner.id());
    finished.set(slot, 0); // no reader takes the sequence of one scanner for that of another
    finishedSequences.set(slot, scanner.nextCallSequence());
    finished.set(slot, scanner.id());
    end(scanner);
  }

  /**
   * Returns whether the scanner of that id finished recently. False for a scanner that failed, or
   * whose lease expired.
   */
  boolean isFinished(long id) {
    return id != 0 && finished.get(slot(id)) == id; // an empty slot is 0
  }

  /**
   * Tells whether a call continues a scanner that {@link #isFinished}, and so gets no rows.
   *
   * @param sequence the number of the client's call, if it counts them
   * @throws OutOfOrderScannerNextException if the call is a repetition of one that was answered
   *     with rows. Its client may not have received them, and must open another scanner after the
   *     last row that it has
   */
  boolean isFinished(long id, OptionalLong sequence) throws OutOfOrderScannerNextException {
    if (!isFinished(id)) {
      return false;
    }
    long next = finishedSequences.get(slot(id));
    if (!isFinished(id)) { // Another scanner has taken the slot, and this one is forgotten.
      return false;
    }
    if (sequence.isPresent() && sequence.getAsLong() < next) {
      throw OpenScanner.outOfOrder(id, next, sequence.getAsLong());
    }
    return true;
  }

  private static int slot(long id) {
    return (int) (id & (REMEMBERED - 1));
  }

  /** Ends a scanner before its end. */
  void end(OpenScanner scanner) {
    scanners.remove(scanner.id());
    scanner.close();
  }

  /** As {@link #end}, for a thread that must not wait for hooks. */
  private void endElsewhere(OpenScanner scanner) {
    scanners.remove(scanner.id());
    scanner.closeElsewhere();
  }

  /**
   * Finishes the scanner of that id if no call has it.
   *
   * @throws UnknownScannerException if there is none, and none was finished a short while ago
   */
  void finishIfIdle(long id) throws IOException {
    OpenScanner scanner = scanners.get(id);
    if (scanner == null && !isFinished(id)) {
      throw unknown(id);
    }
    if (scanner != null
        && scanner.expire(clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(leaseMillis) + 1)) {
      finishIfMay(scanner);
    }
  }

  private void finishIfMay(OpenScanner scanner) throws IOException {
    boolean may = true; // also if that fails
    try {
      may = scanner.mayClose();
    } finally {
      if (may) {
        finish(scanner);
      } else {
        keep(scanner);
      }
    }
  }

  /**
   * Ends scanners whose lease has expired, and makes other idle scanners release their blocks. Must
   * be called about once a second.
   */
  public void expire() {
    long now = clock.nanoTime();
    int expired = 0;
    for (OpenScanner scanner : scanners.values()) {
      if (scanner.expire(now)) {
        if (++expired <= TOLD_MAX) {
          LOG.info(
              "The lease of scanner {} on {} expired after {} ms",
              scanner.id(),
              scanner.region(),
              leaseMillis);
        }
        endElsewhere(scanner);
      } else if (scanner.isIdleSince(now - KEEP_BLOCKS_NANOS, leaseMillis)) {
        scanner.scanner().suspend();
      }
    }
    expiredCount.add(expired);
    if (expired > TOLD_MAX) {
      LOG.info("The leases of {} more scanners expired", expired - TOLD_MAX);
    }
  }

  /** Ends the idle scanners of a region, which is about to close, and of all regions if none. */
  public void endAll(Optional<HostedRegion> region) {
    long later = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(leaseMillis) + 1;
    for (OpenScanner scanner : scanners.values()) {
      if ((region.isEmpty() || scanner.region() == region.get()) && scanner.expire(later)) {
        endElsewhere(scanner);
      }
    }
  }

  /**
   * Ends a scanner for an operator: at once if no call works with it, else the call ends before its
   * next row. The client's next call gets an {@link UnknownScannerException}, after which Apache's
   * client opens another scanner after the last row that it has.
   *
   * @return whether there is a scanner of that id
   */
  public boolean stop(long id) {
    OpenScanner scanner = scanners.get(id);
    if (scanner == null) {
      return false;
    }
    scanner.scanner().stop();
    if (scanner.expire(clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(leaseMillis) + 1)) {
      endElsewhere(scanner);
    }
    return true;
  }

  /** Returns how many scanners have ended because their clients did not come back. */
  public long expiredCount() {
    return expiredCount.sum();
  }

  /**
   * A scanner that a client may come back to.
   *
   * @param region the region that it reads
   * @param isBusy whether a call works with it now
   * @param calls the calls that the client has counted
   * @param lastBytes the bytes of cells of the last response
   * @param leaseLeftMillis the time until its lease expires; 0 if a call works with it
   */
  public record State(
      long id,
      HostedRegion region,
      boolean isBusy,
      long calls,
      long lastBytes,
      long leaseLeftMillis) {}

  /** Returns the open scanners, about as they are at the moment. */
  public List<State> states() {
    long now = clock.nanoTime();
    return scanners.values().stream().map(scanner -> scanner.state(now)).toList();
  }

  /** Returns how many scanners are open. */
  public int size() {
    return scanners.size();
  }
}
