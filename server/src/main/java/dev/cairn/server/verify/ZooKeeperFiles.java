package dev.cairn.server.verify;

import dev.cairn.engine.storage.Finding;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.Adler32;

/**
 * Checks the files of the embedded ZooKeeper by their checksums. All numbers are big-endian.
 *
 * <pre>
 *   snapshot.ZXID   magic ZKSN, version, database id; the tree; at the end a seal:
 *                   Adler-32 of all bytes before it (8 bytes), length 1 (4 bytes), a slash
 *   log.ZXID        magic ZKLG (4 bytes), version (4), database id (8); per entry
 *                   Adler-32 of its bytes (8), their number (4), the bytes, the byte 0x42;
 *                   zeros up to the end of the preallocated space
 * </pre>
 *
 * After a kill, a log may end within an entry. Stateless.
 */
final class ZooKeeperFiles {
  private static final int SNAPSHOT_MAGIC = 0x5A4B534E;
  private static final int LOG_MAGIC = 0x5A4B4C47;
  private static final int HEADER_BYTES = 16;
  private static final int SEAL_BYTES = 13;
  private static final int ENTRY_HEADER_BYTES = 12;
  private static final byte ENTRY_END = 0x42;
  private static final int CHUNK_BYTES = 1 << 16;

  private ZooKeeperFiles() {}

  /**
   * Returns the size of the content of a file: of a log without the preallocated space at its end.
   * Trusts the lengths in the file, and reads nothing else.
   *
   * @param file a file of the embedded ZooKeeper
   */
  static long contentBytes(Storage storage, FileInfo file) {
    if (isSnapshot(file.name())) {
      return file.length();
    }
    try (ReadableFile log = storage.open(file.path())) {
      long at = Math.min(HEADER_BYTES, log.length());
      while (at + ENTRY_HEADER_BYTES <= log.length()) {
        ByteBuffer header = read(log, at, ENTRY_HEADER_BYTES);
        if (header.getLong() == 0 && header.getInt(Long.BYTES) == 0) {
          return at;
        }
        at += ENTRY_HEADER_BYTES + Math.max(0, header.getInt(Long.BYTES)) + 1L;
      }
      return log.length();
    } catch (IOException e) {
      return file.length(); // The check reports the problem.
    }
  }

  /**
   * Finds a snapshot without damage that makes the file at {@code path} unnecessary. A start reads
   * the newest whole snapshot, and of the logs the last that begins before the snapshot's end and
   * all after it.
   *
   * @return the snapshot's path
   */
  static Optional<String> successor(Storage storage, String path) throws IOException {
    long own = zxid(Storage.name(path));
    List<FileInfo> files = new ArrayList<>();
    for (FileInfo file : storage.list(path.substring(0, path.lastIndexOf('/')))) {
      if (FileKind.of(file.path()).equals(Optional.of(FileKind.ZOOKEEPER))) {
        files.add(file);
      }
    }
    for (FileInfo snapshot : files) {
      long newest = zxid(snapshot.name());
      boolean replaces =
          isSnapshot(Storage.name(path))
              ? newest > own
              : files.stream()
                  .filter(log -> !isSnapshot(log.name()))
                  .mapToLong(log -> zxid(log.name()))
                  .anyMatch(begin -> begin > own && begin <= newest + 1);
      if (isSnapshot(snapshot.name()) && replaces && verify(storage, snapshot.path()).isEmpty()) {
        return Optional.of(snapshot.path());
      }
    }
    return Optional.empty();
  }

  private static boolean isSnapshot(String name) {
    return name.startsWith("snapshot.");
  }

  /** Returns the transaction in a file's name: a snapshot's last one, or a log's first one. */
  private static long zxid(String name) {
    return Long.parseUnsignedLong(name.substring(name.indexOf('.') + 1), 16);
  }

  /** Checks the file at {@code path}; returns at most one finding. */
  static List<Finding> verify(Storage storage, String path) throws IOException {
    try (ReadableFile file = storage.open(path)) {
      if (file.length() < HEADER_BYTES) {
        return finding(path, file.length(), "expected a header, found " + file.length() + " bytes");
      }
      boolean snapshot = isSnapshot(Storage.name(path));
      int magic = read(file, 0, Integer.BYTES).getInt();
      if (magic != (snapshot ? SNAPSHOT_MAGIC : LOG_MAGIC)) {
        return finding(path, 0, "expected the magic number " + (snapshot ? "ZKSN" : "ZKLG"));
      }
      return snapshot ? snapshot(file, path) : log(file, path);
    }
  }

  private static List<Finding> snapshot(ReadableFile file, String path) throws IOException {
    long end = file.length() - SEAL_BYTES;
    if (end < HEADER_BYTES) {
      return finding(path, file.length(), "expected a seal at the end");
    }
    ByteBuffer seal = read(file, end, SEAL_BYTES);
    long checksum = seal.getLong();
    if (seal.getInt() != 1 || seal.get() != '/') {
      return finding(path, end, "expected a seal at the end");
    }
    return checksum == checksum(file, 0, end)
        ? List.of()
        : finding(path, 0, "the content does not match the checksum at the end");
  }

  private static List<Finding> log(ReadableFile file, String path) throws IOException {
    long at = HEADER_BYTES;
    while (at + ENTRY_HEADER_BYTES <= file.length()) {
      ByteBuffer header = read(file, at, ENTRY_HEADER_BYTES);
      long checksum = header.getLong();
      int length = header.getInt();
      if (checksum == 0 && length == 0) {
        return List.of(); // The preallocated space begins here.
      }
      if (length < 0) {
        return finding(path, at, "expected the length of an entry, found " + length);
      }
      long begin = at + ENTRY_HEADER_BYTES;
      if (begin + length + 1 > file.length()) {
        return List.of(); // A kill has cut the entry off.
      }
      if (checksum != checksum(file, begin, begin + length)) {
        return finding(path, at, "the entry does not match its checksum");
      }
      if (read(file, begin + length, 1).get() != ENTRY_END) {
        return List.of(); // As above.
      }
      at = begin + length + 1;
    }
    return List.of();
  }

  private static List<Finding> finding(String path, long offset, String what) {
    return List.of(
        new Finding(
            path,
            offset,
            what
                + ". The next start uses an older snapshot, or sets the folder aside and creates"
                + " Cairn's znodes again"));
  }

  private static ByteBuffer read(ReadableFile file, long offset, int length) throws IOException {
    byte[] bytes = new byte[length];
    file.readFully(offset, bytes, 0, length);
    return ByteBuffer.wrap(bytes);
  }

  private static long checksum(ReadableFile file, long from, long to) throws IOException {
    Adler32 adler = new Adler32();
    byte[] chunk = new byte[CHUNK_BYTES];
    for (long at = from; at < to; at += CHUNK_BYTES) {
      int length = (int) Math.min(CHUNK_BYTES, to - at);
      file.readFully(at, chunk, 0, length);
      adler.update(chunk, 0, length);
    }
    return adler.getValue();
  }
}
