package dev.cairn.torture.simulation;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A disk as one life of a process sees it. At a chosen operation the life ends: the operation is
 * not done, nor is any after it, and {@link #survivor} is what the next life finds. Thread-safe.
 */
final class SimulatedDisk implements Storage {
  private final MemoryStorage memory;
  private final FaultyStorage storage;
  private final LogThread log;

  // Guarded by this.
  private long operations;
  private long endAt = Long.MAX_VALUE;
  private Crash crash = Crash.KILL;
  private RandomGenerator random;
  private Optional<MemoryStorage> survivor = Optional.empty();

  /** Creates the view of {@code memory}, on which what {@code faults} say goes wrong. */
  SimulatedDisk(MemoryStorage memory, Faults faults, LogThread log) {
    this.memory = memory;
    this.storage = new FaultyStorage(memory, faults);
    this.log = log;
  }

  /** From now on so many bytes fit. */
  void limitTo(long bytes) {
    storage.limitTo(bytes);
  }

  /** Returns the bytes that are taken. */
  long usedBytes() {
    return storage.usedBytes();
  }

  /** Lets the life end at the {@code n}-th operation from now on, 0 for the next one. */
  synchronized void endAfter(long n, Crash how, RandomGenerator chance) {
    endAt = operations + n;
    crash = how;
    random = chance;
  }

  /** Takes {@link #endAfter} back, if it has not happened. */
  synchronized void goOn() {
    endAt = Long.MAX_VALUE;
  }

  /** Ends the life now, unless it has ended. */
  synchronized void end(Crash how, RandomGenerator chance) {
    if (survivor.isEmpty()) {
      survivor =
          Optional.of(how == Crash.KILL ? memory.afterKill(chance) : memory.afterPowerCut(chance));
    }
  }

  /** Tells whether the life has ended. */
  synchronized boolean hasEnded() {
    return survivor.isPresent();
  }

  /** Returns what the next life finds: what survived, or all if this one was ended in order. */
  synchronized MemoryStorage survivor() {
    return survivor.orElse(memory);
  }

  private void step() throws IOException {
    log.settle();
    synchronized (this) {
      if (operations++ >= endAt) {
        end(crash, random);
      }
      if (survivor.isPresent()) {
        throw new MachineGoneException();
      }
    }
  }

  @Override
  public AppendFile create(String path) throws IOException {
    step();
    return new Appender(storage.create(path));
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    step();
    return new Reader(storage.open(path));
  }

  @Override
  public List<FileInfo> list(String directory) throws IOException {
    step();
    return storage.list(directory);
  }

  @Override
  public boolean exists(String path) throws IOException {
    step();
    return storage.exists(path);
  }

  @Override
  public void syncDirectory(String path) throws IOException {
    step();
    storage.syncDirectory(path);
  }

  @Override
  public void createDirectories(String path) throws IOException {
    step();
    storage.createDirectories(path);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    step();
    storage.rename(from, to);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    step();
    storage.replace(from, to);
  }

  @Override
  public boolean delete(String path) throws IOException {
    step();
    return storage.delete(path);
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }

  /** A file being written, as long as the life lasts. */
  private final class Appender implements AppendFile {
    private final AppendFile file;

    Appender(AppendFile file) {
      this.file = file;
    }

    @Override
    public String path() {
      return file.path();
    }

    @Override
    public long position() {
      return file.position();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      step();
      file.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      step();
      file.flush();
    }

    @Override
    public void sync() throws IOException {
      step();
      file.sync();
    }

    @Override
    public void close() throws IOException {
      step();
      file.close();
    }
  }

  /** A file being read, as long as the life lasts. */
  private final class Reader implements ReadableFile {
    private final ReadableFile file;

    Reader(ReadableFile file) {
      this.file = file;
    }

    @Override
    public String path() {
      return file.path();
    }

    @Override
    public long length() {
      return file.length();
    }

    @Override
    public int read(long position, byte[] target, int offset, int length) throws IOException {
      step();
      return file.read(position, target, offset, length);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
