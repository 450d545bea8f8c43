package dev.cairn.engine.storage;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A storage in which chosen operations fail. An operation that fails is not done. Thread-safe if
 * its {@link Fault} is.
 */
public final class FaultyStorage implements Storage {
  /** The kinds of operations that a {@link Fault} chooses from. */
  public enum Operation {
    /** {@link Storage#create}. */
    CREATE,
    /** {@link Storage#open}. */
    OPEN,
    /** {@link Storage#list}. */
    LIST,
    /** {@link Storage#exists}. */
    EXISTS,
    /** {@link Storage#createDirectories}. */
    CREATE_DIRECTORIES,
    /** {@link Storage#rename}; the path is the old one. */
    RENAME,
    /** {@link Storage#replace}; the path is the one of the file that moves. */
    REPLACE,
    /** {@link Storage#delete}. */
    DELETE,
    /** {@link ReadableFile#read}. */
    READ,
    /** {@link AppendFile#write}. */
    WRITE,
    /** {@link AppendFile#flush}. */
    FLUSH,
    /** {@link AppendFile#sync}. */
    SYNC,
    /** {@link AppendFile#close}. */
    CLOSE
  }

  /** Says which operations fail. */
  @FunctionalInterface
  public interface Fault {
    /** Tells whether this operation is to fail; asked once for each, before it is done. */
    boolean fails(Operation operation, String path);

    /** Lets {@code count} operations succeed and then none, like a machine that stops. */
    static Fault stopAfter(long count) {
      AtomicLong done = new AtomicLong();
      return (operation, path) -> done.incrementAndGet() > count;
    }

    /** Fails the {@code n}-th operation of one kind, counted from 1, and only that. */
    static Fault nth(Operation kind, long n) {
      AtomicLong seen = new AtomicLong();
      return (operation, path) -> operation == kind && seen.incrementAndGet() == n;
    }
  }

  private final Storage storage;
  private final Fault fault;

  /** Creates a storage that passes to {@code storage} what {@code fault} does not fail. */
  public FaultyStorage(Storage storage, Fault fault) {
    this.storage = storage;
    this.fault = fault;
  }

  @Override
  public AppendFile create(String path) throws IOException {
    check(Operation.CREATE, path);
    return new FaultyAppendFile(storage.create(path));
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    check(Operation.OPEN, path);
    return new FaultyReadableFile(storage.open(path));
  }

  @Override
  public List<FileInfo> list(String directory) throws IOException {
    check(Operation.LIST, directory);
    return storage.list(directory);
  }

  @Override
  public boolean exists(String path) throws IOException {
    check(Operation.EXISTS, path);
    return storage.exists(path);
  }

  @Override
  public void createDirectories(String path) throws IOException {
    check(Operation.CREATE_DIRECTORIES, path);
    storage.createDirectories(path);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    check(Operation.RENAME, from);
    storage.rename(from, to);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    check(Operation.REPLACE, from);
    storage.replace(from, to);
  }

  @Override
  public boolean delete(String path) throws IOException {
    check(Operation.DELETE, path);
    return storage.delete(path);
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }

  private void check(Operation operation, String path) throws IOException {
    if (fault.fails(operation, path)) {
      throw new IOException("Injected fault: " + operation + " of " + path);
    }
  }

  /** A reader whose reads may fail. */
  private final class FaultyReadableFile implements ReadableFile {
    private final ReadableFile file;

    FaultyReadableFile(ReadableFile file) {
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
      check(Operation.READ, path());
      return file.read(position, target, offset, length);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /** A writer that, once it has failed, stays failed. */
  private final class FaultyAppendFile implements AppendFile {
    private final AppendFile file;
    private boolean failed;

    FaultyAppendFile(AppendFile file) {
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
      step(Operation.WRITE);
      file.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      step(Operation.FLUSH);
      file.flush();
    }

    @Override
    public void sync() throws IOException {
      step(Operation.SYNC);
      file.sync();
    }

    /** A fault here, or before, leaves the file as a dying process would: open and unflushed. */
    @Override
    public void close() throws IOException {
      if (!failed) {
        step(Operation.CLOSE);
        file.close();
      }
    }

    private void step(Operation operation) throws IOException {
      if (failed) {
        throw new IOException(path() + " is in an unknown state since an operation on it failed");
      }
      failed = true;
      check(operation, path());
      failed = false;
    }
  }
}
