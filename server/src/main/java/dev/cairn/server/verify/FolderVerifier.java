package dev.cairn.server.verify;

import dev.cairn.engine.hfile.inspect.HFileVerifier;
import dev.cairn.engine.region.ClosedFiles;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.Finding;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.engine.wal.file.WalEnd;
import dev.cairn.engine.wal.file.WalVerifier;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;

/**
 * Checks all store files, logs and descriptions below a path, with as many threads as its executor
 * has. If a store has a list of its files, the files in it must exist, and other files are left
 * out: they may be unfinished. The listener is called by the thread that called {@link #verify}.
 */
public final class FolderVerifier {

  /** Hears how far a check has come. Called by one thread at a time. */
  public interface VerifyListener {
    /**
     * All files are known.
     *
     * @param files how many
     * @param bytes their size
     */
    void begun(long files, long bytes);

    /** A file of {@code bytes} is done. */
    void checked(String path, long bytes);

    /** Something is damaged. */
    void found(Finding finding);

    /** A file could not be checked. */
    void failed(String path, String reason);

    /** Something is worth knowing and no damage: the torn end of a log. */
    void noted(String path, String what);
  }

  private static final byte[] LOG_MAGIC = {'P', 'W', 'A', 'L'};

  private final Storage storage;
  private final Executor executor;
  private final VerifyListener listener;
  private final Pointers pointers;
  private final MobPointers mobPointers;
  private final CountedFiles counted;

  /**
   * Creates a verifier.
   *
   * @param executor where files are checked
   * @param tracker the store file tracker of families whose descriptors name none
   */
  public FolderVerifier(
      Storage storage, Executor executor, VerifyListener listener, StoreFileTracking.Kind tracker) {
    this.storage = storage;
    this.executor = executor;
    this.listener = listener;
    this.pointers = new Pointers(storage);
    this.mobPointers = new MobPointers(storage);
    this.counted = new CountedFiles(storage, tracker);
  }

  /**
   * Checks the files at and below {@code path}: a file, or a folder of any depth in HBase's layout.
   *
   * @throws NoSuchFileException if there is nothing
   * @throws IOException if a folder cannot be listed
   */
  public VerifySummary verify(String path) throws IOException, InterruptedException {
    List<Target> targets = new ArrayList<>();
    List<Finding> unreadable = List.of();
    Optional<FileInfo> single = file(path);
    if (single.isPresent()) {
      targets.add(target(single.get(), kindOfSingle(path)));
    } else {
      if (!storage.exists(path)) {
        throw new NoSuchFileException(path);
      }
      unreadable = collect(path, targets);
    }
    listener.begun(targets.size(), targets.stream().mapToLong(Target::bytes).sum());
    CompletionService<Outcome> checks = new ExecutorCompletionService<>(executor);
    for (Target target : targets) {
      checks.submit(() -> check(target));
    }
    Sums sums = new Sums();
    sums.add(unreadable);
    if (single.isEmpty()) {
      sums.add(Descriptions.missing(storage, path));
    }
    for (int i = 0; i < targets.size(); i++) {
      sums.add(get(checks.take()));
    }
    return sums.summary();
  }

  private Optional<FileInfo> file(String path) throws IOException {
    if (path.isEmpty()) {
      return Optional.empty();
    }
    String parent = path.substring(0, Math.max(0, path.lastIndexOf('/')));
    return storage.list(parent).stream()
        .filter(file -> file.path().equals(path) && !file.directory())
        .findFirst();
  }

  /** A single file may lie anywhere; what its place does not tell, its first bytes do. */
  private FileKind kindOfSingle(String path) throws IOException {
    Optional<FileKind> known = FileKind.of(path);
    if (known.isPresent()) {
      return known.get();
    }
    try (var file = storage.open(path)) {
      byte[] start = new byte[(int) Math.min(LOG_MAGIC.length, file.length())];
      file.readFully(0, start, 0, start.length);
      return java.util.Arrays.equals(start, LOG_MAGIC) ? FileKind.LOG : FileKind.HFILE;
    }
  }

  /** Collects the files to check; returns findings on lists of store files. */
  private List<Finding> collect(String directory, List<Target> targets) throws IOException {
    List<Finding> damage = new ArrayList<>();
    List<Target> here = new ArrayList<>();
    for (FileInfo entry : storage.list(directory)) {
      if (!entry.directory()) {
        FileKind.of(entry.path()).ifPresent(kind -> here.add(target(entry, kind)));
      } else if (!entry.name().startsWith(".") || entry.name().equals(".tabledesc")) {
        damage.addAll(collect(entry.path(), targets));
      }
    }
    try {
      Optional<Set<String>> listed = counted.listed(directory);
      if (listed.isPresent()) {
        here.removeIf(target -> !listed.get().contains(target.file().name()));
        damage.addAll(counted.missing(directory, listed.get()));
      }
    } catch (DamagedFileException e) {
      damage.add(new Finding(e.path(), e.offset(), e.what()));
    }
    targets.addAll(here);
    return damage;
  }

  private Target target(FileInfo file, FileKind kind) {
    return new Target(
        file,
        kind,
        kind == FileKind.ZOOKEEPER ? ZooKeeperFiles.contentBytes(storage, file) : file.length());
  }

  private Outcome check(Target target) {
    String path = target.file().path();
    try {
      return switch (target.kind()) {
        case HFILE -> {
          List<Finding> damage = HFileVerifier.verify(storage, path);
          yield Outcome.of(target, damage.isEmpty() ? mobPointers.verify(path) : damage);
        }
        case REFERENCE, LINK -> Outcome.of(target, pointers.verify(path));
        case DESCRIPTION -> Outcome.of(target, Descriptions.verify(storage, path));
        case FILE_LIST -> Outcome.of(target, ClosedFiles.verify(storage, path));
        case ZOOKEEPER -> checkZooKeeper(target);
        case LOG -> {
          WalVerifier.Result result = WalVerifier.verify(storage, path);
          Optional<String> note = result.end().filter(WalEnd::isTorn).map(WalEnd::toString);
          yield new Outcome(target, result.findings(), note, Optional.empty(), false);
        }
      };
    } catch (NoSuchFileException | FileNotFoundException e) {
      return new Outcome(target, List.of(), Optional.empty(), Optional.empty(), true);
    } catch (IOException | RuntimeException e) {
      String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      return new Outcome(target, List.of(), Optional.empty(), Optional.of(reason), false);
    }
  }

  private Outcome checkZooKeeper(Target target) throws IOException {
    String path = target.file().path();
    List<Finding> damage = ZooKeeperFiles.verify(storage, path);
    Optional<String> successor =
        damage.isEmpty() ? Optional.empty() : ZooKeeperFiles.successor(storage, path);
    if (successor.isEmpty()) {
      return Outcome.of(target, damage);
    }
    String note =
        "is damaged, and no start reads it any more, because "
            + Storage.name(successor.get())
            + " is newer and whole. You may delete it";
    return new Outcome(target, List.of(), Optional.of(note), Optional.empty(), false);
  }

  private static Outcome get(Future<Outcome> done) throws InterruptedException {
    try {
      return done.get();
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause()); // an Error; everything else is an outcome
    }
  }

  /**
   * A file to check.
   *
   * @param bytes the size of its content
   */
  private record Target(FileInfo file, FileKind kind, long bytes) {}

  /** The outcome of checking one file. */
  private record Outcome(
      Target target,
      List<Finding> findings,
      Optional<String> note,
      Optional<String> failure,
      boolean vanished) {
    static Outcome of(Target target, List<Finding> findings) {
      return new Outcome(target, findings, Optional.empty(), Optional.empty(), false);
    }
  }

  /** Adds up, and tells the listener. */
  private final class Sums {
    private long storeFiles;
    private long logs;
    private long followed;
    private long descriptions;
    private long bytes;
    private long findings;
    private long damagedFiles;
    private long failures;
    private long vanished;

    void add(Outcome outcome) {
      FileInfo file = outcome.target().file();
      outcome.findings().forEach(listener::found);
      outcome.note().ifPresent(note -> listener.noted(file.path(), note));
      outcome.failure().ifPresent(reason -> listener.failed(file.path(), reason));
      listener.checked(file.path(), outcome.target().bytes());
      findings += outcome.findings().size();
      damagedFiles += outcome.findings().isEmpty() ? 0 : 1;
      if (outcome.vanished()) {
        vanished++;
      } else if (outcome.failure().isPresent()) {
        failures++;
      } else {
        bytes += outcome.target().bytes();
        switch (outcome.target().kind()) {
          case HFILE -> storeFiles++;
          case LOG -> logs++;
          case REFERENCE, LINK -> followed++;
          case DESCRIPTION, FILE_LIST, ZOOKEEPER -> descriptions++;
        }
      }
    }

    /** Adds findings on files that are no targets, one of each. */
    void add(List<Finding> others) {
      others.forEach(listener::found);
      findings += others.size();
      damagedFiles += others.size();
    }

    VerifySummary summary() {
      return new VerifySummary(
          storeFiles,
          logs,
          followed,
          descriptions,
          bytes,
          findings,
          damagedFiles,
          failures,
          vanished);
    }
  }
}
