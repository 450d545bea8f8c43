package dev.cairn.engine.storage;

import dev.cairn.engine.storage.FaultRule.Manner;
import dev.cairn.engine.storage.Storage.StorageSpace;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A storage in which chosen operations fail, and whose disk may be full.
 *
 * <pre>{@code
 * Faults faults = new Faults(new SplittableRandom(seed));
 * FaultyStorage storage = new FaultyStorage(memory, faults);
 * faults.add(FaultRule.of(Operation.SYNC).withProbability(0.01));
 * faults.heal();                        // from now on all is well
 * storage.limitTo(1 << 20);             // what goes beyond fails with DiskFullException
 * storage.limitTo(Long.MAX_VALUE);      // there is room again
 * }</pre>
 *
 * <p>Over a {@link MemoryStorage}, names that were changed by an operation that failed may be lost
 * or kept by a power cut. Thread-safe if its {@link Fault} is.
 */
public final class FaultyStorage extends ForwardingStorage {
  /** Decides which operations fail; a failing one is not done. For more, see {@link Faults}. */
  @FunctionalInterface
  public interface Fault {
    /** Tells whether this operation is to fail; asked once for each, before it is done. */
    boolean fails(StorageOperation operation, String path);

    /** Lets {@code count} operations succeed and then none, like a machine that stops. */
    static Fault stopAfter(long count) {
      AtomicLong done = new AtomicLong();
      return (operation, path) -> done.incrementAndGet() > count;
    }

    /** Fails the {@code n}-th operation of one kind, counted from 1, and only that. */
    static Fault nth(StorageOperation kind, long n) {
      AtomicLong seen = new AtomicLong();
      return (operation, path) -> operation == kind && seen.incrementAndGet() == n;
    }
  }

  /** Decides which operations fail: one of the two ways to describe faults. */
  private interface Decision {
    Optional<Manner> of(StorageOperation operation, String path);

    int number(int bound);
  }

  /** A change of names, on the storage or on its view that does not sync them. */
  @FunctionalInterface
  private interface Change {
    void on(Storage storage) throws IOException;
  }

  /** One of the two ways to create a file. */
  @FunctionalInterface
  private interface Creation {
    AppendFile of(String path) throws IOException;
  }

  private final Storage storage;
  private final Decision decision;
  private final DiskSpace space;

  /**
   * Creates a storage that passes operations to {@code storage} unless {@code fault} fails them.
   */
  public FaultyStorage(Storage storage, Fault fault) {
    this(
        storage,
        new Decision() {
          @Override
          public Optional<Manner> of(StorageOperation operation, String path) {
            return fault.fails(operation, path) ? Optional.of(Manner.NOT_DONE) : Optional.empty();
          }

          @Override
          public int number(int bound) {
            return 0;
          }
        },
        true);
  }

  /**
   * Creates a storage that passes operations to {@code storage} unless {@code faults} fail them.
   */
  public FaultyStorage(Storage storage, Faults faults) {
    this(storage, decision(faults), true);
  }

  /**
   * Creates one view of several of {@code storage}, as {@link #FaultyStorage(Storage, Faults)}. It
   * does not see what the others write, so it does not count bytes, and {@link #limitTo} fails.
   */
  public static FaultyStorage sharing(Storage storage, Faults faults) {
    return new FaultyStorage(storage, decision(faults), false);
  }

  private static Decision decision(Faults faults) {
    return new Decision() {
      @Override
      public Optional<Manner> of(StorageOperation operation, String path) {
        return faults.decide(operation, path);
      }

      @Override
      public int number(int bound) {
        return faults.number(bound);
      }
    };
  }

  private FaultyStorage(Storage storage, Decision decision, boolean counts) {
    super(storage);
    this.storage = storage;
    this.decision = decision;
    this.space = new DiskSpace(counts);
    try {
      space.include(storage, "");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /**
   * Limits the bytes of all files together, in blocks of 4 KiB. The limit may be below what they
   * take already: then nothing can be written until enough is deleted. Bytes that do not fit fail
   * in the call that writes them, after those that fit, with a {@link DiskFullException}. So does
   * the creation of a file or directory when no space is left.
   */
  public void limitTo(long bytes) {
    space.limit(bytes);
  }

  /** Returns the bytes that all files together take, in blocks. */
  public long usedBytes() {
    return space.used();
  }

  @Override
  public Optional<StorageSpace> space() throws IOException {
    Optional<StorageSpace> limited = space.limited();
    return limited.isPresent() ? limited : storage.space();
  }

  @Override
  public AppendFile create(String path) throws IOException {
    return create(path, storage::create);
  }

  @Override
  public AppendFile createFenced(String path) throws IOException {
    return create(path, storage::createFenced);
  }

  @Override
  public AppendFile createIn(String path) throws IOException {
    return create(path, storage::createIn);
  }

  private AppendFile create(String path, Creation creation) throws IOException {
    Optional<Manner> fault = decision.of(StorageOperation.CREATE, path);
    if (fault.isPresent()) {
      if (fault.get() == Manner.DONE) {
        creation.of(path).close();
        space.created(path);
      }
      throw injected(fault.get(), StorageOperation.CREATE, path);
    }
    space.checkRoom(path);
    AppendFile file = creation.of(path);
    return new FaultyAppendFile(file, space.created(path));
  }

  /** A fault that is {@link Manner#DONE} seals the file and hides its length. */
  @Override
  public long seal(String path) throws IOException {
    Optional<Manner> fault = decision.of(StorageOperation.SEAL, path);
    if (fault.isPresent()) {
      if (fault.get() == Manner.DONE) {
        storage.seal(path);
      }
      throw injected(fault.get(), StorageOperation.SEAL, path);
    }
    return storage.seal(path);
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    before(StorageOperation.OPEN, path);
    return new FaultyReadableFile(storage.open(path));
  }

  @Override
  public void createDirectories(String path) throws IOException {
    checkRoomFor(path);
    change(StorageOperation.CREATE_DIRECTORIES, path, on -> on.createDirectories(path));
  }

  @Override
  public void createDirectoryIn(String path) throws IOException {
    checkRoomFor(path);
    change(StorageOperation.CREATE_DIRECTORIES, path, on -> on.createDirectoryIn(path));
  }

  /** As {@link #createDirectoryIn}. */
  @Override
  public void createScratch(String path) throws IOException {
    createDirectoryIn(path);
  }

  private void checkRoomFor(String directory) throws IOException {
    if (!storage.exists(directory)) {
      space.checkRoom(directory);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    change(
        StorageOperation.RENAME,
        from,
        on -> {
          on.rename(from, to);
          space.moved(from, to);
        });
  }

  @Override
  public void moveIn(String from, String to) throws IOException {
    change(
        StorageOperation.RENAME,
        from,
        on -> {
          on.moveIn(from, to);
          space.moved(from, to);
        });
  }

  @Override
  public void replace(String from, String to) throws IOException {
    change(
        StorageOperation.REPLACE,
        from,
        on -> {
          on.replace(from, to);
          space.moved(from, to);
        });
  }

  @Override
  public boolean delete(String path) throws IOException {
    boolean[] found = new boolean[1];
    change(
        StorageOperation.DELETE,
        path,
        on -> {
          found[0] = on.delete(path);
          space.deleted(path);
        });
    return found[0];
  }

  /** As {@link #delete}. */
  @Override
  public boolean discard(String path) throws IOException {
    return delete(path);
  }

  /** Does a change of names, or as much of it as its fault leaves. */
  private void change(StorageOperation operation, String path, Change change) throws IOException {
    Optional<Manner> fault = decision.of(operation, path);
    if (fault.isEmpty()) {
      change.on(storage);
      return;
    }
    if (fault.get() == Manner.DONE) {
      change.on(storage instanceof MemoryStorage memory ? memory.unsynced() : storage);
    } else if (fault.get() == Manner.PARTLY && operation == StorageOperation.DELETE) {
      deletePart(path);
    }
    throw injected(fault.get(), operation, path);
  }

  private void deletePart(String path) throws IOException {
    List<FileInfo> children;
    try {
      children = storage.list(path);
    } catch (java.nio.file.NotDirectoryException e) {
      return;
    }
    for (FileInfo child : children) {
      if (decision.number(2) == 0) {
        storage.delete(child.path());
        space.deleted(child.path());
      }
    }
  }

  @Override
  protected void before(StorageOperation operation, String path) throws IOException {
    Optional<Manner> fault = decision.of(operation, path);
    if (fault.isPresent()) {
      throw injected(fault.get(), operation, path);
    }
  }

  private static IOException injected(Manner manner, StorageOperation operation, String path) {
    return manner == Manner.DISK_FULL
        ? new DiskFullException(path, "injected fault: " + operation)
        : new IOException("Injected fault: " + operation + " of " + path);
  }

  /** A reader whose reads may fail. */
  private final class FaultyReadableFile extends ForwardingReadableFile {
    FaultyReadableFile(ReadableFile file) {
      super(file);
    }

    @Override
    public int read(long position, byte[] target, int offset, int length) throws IOException {
      Optional<Manner> fault = decision.of(StorageOperation.READ, path());
      if (fault.isEmpty()) {
        return super.read(position, target, offset, length);
      }
      switch (fault.get()) {
        case FLIPPED_BIT -> {
          int count = super.read(position, target, offset, length);
          if (count > 0) {
            target[offset + decision.number(count)] ^= (byte) (1 << decision.number(8));
          }
          return count;
        }
        case SHORT -> {
          return super.read(position, target, offset, 1 + decision.number(Math.max(1, length)));
        }
        default -> throw injected(fault.get(), StorageOperation.READ, path());
      }
    }
  }

  /** A writer that, once it has failed, stays failed. */
  private final class FaultyAppendFile extends ForwardingAppendFile {
    private final DiskSpace.Use use;
    private boolean failed;
    private boolean closed;

    FaultyAppendFile(AppendFile file, DiskSpace.Use use) {
      super(file);
      this.use = use;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      Optional<Manner> fault = begin(StorageOperation.WRITE);
      if (fault.isPresent()) {
        failed = true;
        int arriving =
            switch (fault.get()) {
              case NOT_DONE -> 0;
              case DONE -> length;
              default -> decision.number(length + 1);
            };
        arrive(bytes, offset, arriving);
        throw injected(fault.get(), StorageOperation.WRITE, path());
      }
      int fitting = space.take(use, length);
      if (fitting < length) {
        failed = true;
        super.write(bytes, offset, fitting);
        super.flush();
        throw space.full(path());
      }
      super.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      step(StorageOperation.FLUSH);
      super.flush();
    }

    @Override
    public void sync() throws IOException {
      step(StorageOperation.SYNC);
      super.sync();
    }

    /**
     * A fault here, or before, leaves the unflushed bytes unwritten, as a dying process does. Only
     * a fault with which closing is {@link Manner#DONE} writes them.
     */
    @Override
    public void close() throws IOException {
      if (!failed && !closed) {
        closed = true;
        step(StorageOperation.CLOSE);
        super.close();
      }
    }

    /** Fails as the operation is to fail: the bytes may have arrived, but not at the device. */
    private void step(StorageOperation operation) throws IOException {
      Optional<Manner> fault = begin(operation);
      if (fault.isPresent()) {
        failed = true;
        if (fault.get() == Manner.DONE || fault.get() == Manner.PARTLY) {
          super.flush();
        }
        throw injected(fault.get(), operation, path());
      }
    }

    private Optional<Manner> begin(StorageOperation operation) throws IOException {
      if (failed) {
        throw new IOException(path() + " is in an unknown state since an operation on it failed");
      }
      return decision.of(operation, path());
    }

    private void arrive(byte[] bytes, int offset, int length) throws IOException {
      int fitting = space.take(use, length);
      super.write(bytes, offset, fitting);
      super.flush();
    }
  }
}
