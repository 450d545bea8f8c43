package dev.cairn.tools.backup;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Reads and copies files with their checksums. */
final class FileCopy {
  private static final int PIECE_SIZE = 1 << 20;

  private FileCopy() {}

  /** Takes the pieces of a file. */
  private interface Taker {
    void take(byte[] bytes, int length) throws IOException;
  }

  /**
   * Copies a file and makes the copy safe.
   *
   * @param places the paths at which the file may be; it may move from one to the next meanwhile
   * @param path the path of the new file, within {@code directory}
   */
  static BackupFile copy(
      Storage from, List<String> places, Storage to, String directory, String path)
      throws IOException {
    try (ReadableFile source = open(from, places);
        AppendFile target = to.create(Storage.join(directory, path))) {
      BackupFile copied = read(source, path, (bytes, length) -> target.write(bytes, 0, length));
      target.sync();
      return copied;
    }
  }

  /** Returns a file's length and checksum. */
  static BackupFile read(Storage storage, String directory, String path) throws IOException {
    try (ReadableFile file = storage.open(Storage.join(directory, path))) {
      return read(file, path, (bytes, length) -> {});
    }
  }

  private static ReadableFile open(Storage storage, List<String> places) throws IOException {
    for (String place : places) {
      try {
        return storage.open(place);
      } catch (NoSuchFileException e) {
        continue;
      }
    }
    throw new NoSuchFileException(
        places.get(0), null, "is in none of its places: " + String.join(", ", places));
  }

  private static BackupFile read(ReadableFile file, String path, Taker taker) throws IOException {
    MessageDigest digest = sha256();
    byte[] piece = new byte[(int) Math.min(PIECE_SIZE, Math.max(1, file.length()))];
    for (long at = 0; at < file.length(); ) {
      int length = (int) Math.min(piece.length, file.length() - at);
      file.readFully(at, piece, 0, length);
      digest.update(piece, 0, length);
      taker.take(piece, length);
      at += length;
    }
    return new BackupFile(path, file.length(), HexFormat.of().formatHex(digest.digest()));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
