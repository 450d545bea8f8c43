package dev.cairn.engine.tracking;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.apache.hadoop.hbase.shaded.protobuf.generated.StoreFileTrackerProtos.StoreFileEntry;
import org.apache.hadoop.hbase.shaded.protobuf.generated.StoreFileTrackerProtos.StoreFileList;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * A list of store files, in the format of HBase's tracker {@code FILE}:
 *
 * <pre>
 *   4 bytes  length of the message
 *            StoreFileList: timestamp, names and lengths, version 1
 *   4 bytes  CRC-32 of the message
 * </pre>
 *
 * The format follows files that HBase 2.6.4 writes. Immutable.
 *
 * @param timestamp milliseconds since 1970, or later; the list with the higher one is newer
 * @param files the store's files
 */
record FileList(long timestamp, List<TrackedFile> files) {
  private static final long VERSION = 1;

  /** Returns the content of the list's file. */
  byte[] toFile() {
    StoreFileList.Builder message = StoreFileList.newBuilder();
    message.setTimestamp(timestamp).setVersion(VERSION);
    for (TrackedFile file : files) {
      message.addStoreFile(StoreFileEntry.newBuilder().setName(file.name()).setSize(file.length()));
    }
    byte[] bytes = message.build().toByteArray();
    return Bytes.concat(
        Bytes.concat(Bytes.ofInt(bytes.length), bytes), Bytes.ofInt(crc(bytes, 0, bytes.length)));
  }

  /**
   * Reads the content of a list's file.
   *
   * @return empty if the end is missing, because a crash interrupted the write
   * @throws DamagedFileException if the list is complete but inconsistent, or has a later version
   */
  static Optional<FileList> parse(byte[] content, String path) throws DamagedFileException {
    int length = content.length < Integer.BYTES ? 0 : Bytes.getInt(content, 0);
    if (length == 0 || length > 0 && content.length - 2 * Integer.BYTES < length) {
      return Optional.empty();
    }
    int end = Integer.BYTES + length;
    if (length < 0
        || content.length != end + Integer.BYTES
        || Bytes.getInt(content, end) != crc(content, Integer.BYTES, length)) {
      throw new DamagedFileException(path, 0, "expected a list of store files with its checksum");
    }
    StoreFileList message;
    try {
      message =
          StoreFileList.parseFrom(UnsafeByteOperations.unsafeWrap(content, Integer.BYTES, length));
    } catch (InvalidProtocolBufferException e) {
      throw new DamagedFileException(path, Integer.BYTES, "expected a list of store files: " + e);
    }
    if (message.getVersion() > VERSION) {
      throw new DamagedFileException(
          path,
          Integer.BYTES,
          "expected a list of store files of version 1, found version " + message.getVersion());
    }
    return Optional.of(
        new FileList(
            message.getTimestamp(),
            message.getStoreFileList().stream()
                .map(file -> new TrackedFile(file.getName(), file.getSize()))
                .toList()));
  }

  private static int crc(byte[] bytes, int offset, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }
}
