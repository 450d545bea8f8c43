package dev.cairn.torture.cluster;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.torture.scheduler.Machine;
import java.io.IOException;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * One machine's view of the shared file system. When the machine stops, its unflushed writes are
 * lost. Some operations take a while, and the machine can be frozen or stopped meanwhile.
 * Operations may also fail.
 */
final class MachineStorage extends ForwardingStorage {
  private static final long MICRO = 1_000;
  private static final long PAUSE_MAX = 2_000 * MICRO;

  /** An operation fails within this time while the storage is cut off. */
  private static final long UNANSWERED_MAX = 1_000_000 * MICRO;

  private static final long HANG_CHECK_NANOS = 100_000 * MICRO;

  /** One in this many operations takes a while. */
  private static final int OPERATIONS_PER_PAUSE = 8;

  private static final String SCRATCH = "/.tmp/";
  private static final String LENT = "/lent-";
  private static final String STORE_LOGS = "MasterData/WALs";
  private static final String STORE_DATA = "MasterData/data/";
  private static final Pattern FENCE = Pattern.compile("\\.tmp/owner-[0-9]+");

  /** A machine that is to freeze before a change of tables' files skips most of these changes. */
  private static final int CHANGES_PER_FREEZE = 6;

  private final Machine machine;
  private final RandomGenerator random;
  private final Predicate<Guard> has;
  private final FreezePoint freezePoint;
  private final Faults faults;
  private final DataNodes dataNodes;
  private long pauseMax = PAUSE_MAX;
  private boolean hanging;
  private boolean cut;

  /**
   * Creates a view.
   *
   * @param dataNodes store the blocks of the shared files
   * @param has tells which guards are in place
   */
  static MachineStorage of(
      Storage shared,
      DataNodes dataNodes,
      Machine machine,
      RandomGenerator random,
      Predicate<Guard> has,
      FreezePoint freezePoint) {
    Faults faults = new Faults(random);
    return new MachineStorage(
        FaultyStorage.sharing(shared, faults),
        faults,
        dataNodes,
        machine,
        random,
        has,
        freezePoint);
  }

  private MachineStorage(
      Storage faulty,
      Faults faults,
      DataNodes dataNodes,
      Machine machine,
      RandomGenerator random,
      Predicate<Guard> has,
      FreezePoint freezePoint) {
    super(faulty);
    this.faults = faults;
    this.dataNodes = dataNodes;
    this.has = has;
    this.machine = machine;
    this.random = random;
    this.freezePoint = freezePoint;
  }

  /** Returns the faults to inject; none at first. */
  Faults faults() {
    return faults;
  }

  /** Makes one operation in eight take up to {@code nanos}. */
  void slowDown(long nanos) {
    pauseMax = nanos;
  }

  /** Blocks writes to the machine's log until {@link #heal}; the machine itself continues. */
  void hang() {
    hanging = true;
  }

  /** Lets each operation fail after a pause, as without a network, until {@link #heal}. */
  void cut() {
    cut = true;
  }

  /** Ends all faults, the slowdown, the hang and the cut. */
  void heal() {
    hanging = false;
    cut = false;
    faults.heal();
    pauseMax = PAUSE_MAX;
  }

  @Override
  protected void before(StorageOperation operation, String path) throws IOException {
    machine.checkRunning();
    if (cut) {
      machine.pause(random.nextLong(MICRO, UNANSWERED_MAX));
      throw new IOException("HDFS does not answer " + operation + " of " + path);
    }
    switch (operation) {
      case FLUSH, SYNC -> {
        if (path.startsWith("WALs/")) {
          while (hanging) {
            machine.clock().park(HANG_CHECK_NANOS);
          }
          freezePoint.reached(Instant.LOG_WRITTEN);
        } else if (path.startsWith(STORE_LOGS + "/")) {
          freezePoint.reached(Instant.STORE_WRITTEN);
        }
      }
      case RENAME -> {
        if (path.contains(SCRATCH)) {
          freezePoint.reached(Instant.FILE_COMPLETE);
        } else if (path.contains(LENT)) {
          freezePoint.reached(Instant.EDITS_COMPLETE);
        } else if (FENCE.matcher(path).matches()) {
          freezePoint.reached(Instant.STORE_OPENED);
        }
      }
      case LIST -> {
        if (path.equals("WALs")) {
          freezePoint.reached(Instant.LOGS_SOUGHT);
        } else if (path.equals(STORE_LOGS)) {
          freezePoint.reached(Instant.STORE_LOGS_SOUGHT);
        }
      }
      case CREATE_DIRECTORIES -> {
        if (FENCE.matcher(path).matches()) {
          freezePoint.reached(Instant.LEADERSHIP_TAKEN);
        } else if (path.startsWith(STORE_LOGS + "/")) {
          freezePoint.reached(Instant.STORE_LOGS_RECOVERED);
        } else if (path.startsWith(STORE_DATA) && path.contains(SCRATCH)) {
          freezePoint.reached(Instant.STORE_LOG_BEGUN);
        }
      }
      default -> {}
    }
    if (freezePoint.awaits(Instant.FILES_CHANGED)
        && isChange(operation, path)
        && random.nextInt(CHANGES_PER_FREEZE) == 0) {
      freezePoint.reached(Instant.FILES_CHANGED);
    }
    if (random.nextInt(OPERATIONS_PER_PAUSE) == 0) {
      machine.pause(random.nextLong(MICRO, pauseMax));
    }
    long nanos = dataNodes.before(operation, path);
    if (nanos > 0) {
      machine.pause(nanos);
    }
    machine.checkRunning();
  }

  private static boolean isChange(StorageOperation operation, String path) {
    return (path.startsWith("data/default/")
            || path.startsWith(".tmp/")
            || path.startsWith("staging/"))
        && switch (operation) {
          case RENAME, DELETE, CREATE, CREATE_DIRECTORIES, LIST -> true;
          default -> false;
        };
  }

  @Override
  public void rename(String from, String to) throws IOException {
    if (FENCE.matcher(from).matches() && !has.test(Guard.FENCE)) {
      return;
    }
    super.rename(from, to);
    moved(from);
  }

  @Override
  public void moveIn(String from, String to) throws IOException {
    super.moveIn(from, to);
    moved(from);
  }

  private void moved(String from) {
    if (from.contains(SCRATCH)) {
      freezePoint.reached(Instant.FILE_PUBLISHED);
    }
  }

  @Override
  public AppendFile createFenced(String path) throws IOException {
    if (!has.test(Guard.DIRECTORY)) {
      createDirectories(path.substring(0, path.lastIndexOf('/')));
    }
    return super.createFenced(path);
  }

  @Override
  public long seal(String path) throws IOException {
    if (has.test(Guard.SEAL)) {
      return super.seal(path);
    }
    try (ReadableFile file = open(path)) {
      return file.length();
    }
  }

  @Override
  public boolean discard(String path) throws IOException {
    return (has.test(Guard.SCRATCH) || !path.contains(SCRATCH)) && super.discard(path);
  }

  @Override
  public void close() {
    // All machines share the storage.
  }
}
