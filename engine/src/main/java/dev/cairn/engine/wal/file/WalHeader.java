package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.storage.ReadableFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The contents of a log file's header.
 *
 * @param end start of the first entry, 0 if the header is torn
 * @param isChecksummed the file is one of ours, with the fields that {@link WalFormat} lists
 * @param salt the file's salt, 0 if it is not one of ours
 * @param compression compression of names and cells
 * @param writerClass the class that wrote it, empty if unknown
 * @param codecClass the class that gave the cells their form, empty if unknown
 */
record WalHeader(
    long end,
    boolean isChecksummed,
    long salt,
    WalCompression compression,
    String writerClass,
    String codecClass) {
  private static final WalHeader TORN = new WalHeader(0, false, 0, WalCompression.NONE, "", "");

  /** All of them write an int length and a KeyValue when nothing is compressed. */
  private static final Set<String> CODECS =
      Set.of(
          "",
          WalFormat.CODEC_CLASS,
          "org.apache.hadoop.hbase.codec.KeyValueCodec",
          "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags");

  /** The file ends before its header does: the writer stopped before the first entry. */
  boolean isTorn() {
    return end == 0;
  }

  /**
   * Reads the header of {@code file}.
   *
   * @throws CorruptWalException if there is something else
   * @throws IOException if the file has a feature that is not supported
   */
  static WalHeader read(ReadableFile file) throws IOException {
    try {
      return readWhole(file);
    } catch (CorruptWalException e) {
      // The header is synced before anything else, and no entry is so small that both together are
      // not longer. So there is no entry here: the power went before the header was durable, any
      // part of it may have arrived, and the rest is zeros.
      if (file.length() <= WalFormat.headerSizeMax() && hasZeros(file)) {
        return TORN;
      }
      throw e;
    }
  }

  private static boolean hasZeros(ReadableFile file) throws IOException {
    byte[] all = new byte[(int) file.length()];
    file.readFully(0, all, 0, all.length);
    for (byte b : all) {
      if (b == 0) {
        return true;
      }
    }
    return false;
  }

  private static WalHeader readWhole(ReadableFile file) throws IOException {
    byte[] start = new byte[(int) Math.min(file.length(), WalFormat.HEADER_LENGTH_MAX + 16)];
    file.readFully(0, start, 0, start.length);
    int magicLength = Math.min(start.length, WalFormat.MAGIC.length);
    if (!Arrays.equals(start, 0, magicLength, WalFormat.MAGIC, 0, magicLength)) {
      throw new CorruptWalException(
          file.path(),
          0,
          "expected the magic PWAL, found " + Bytes.toStringBinary(start, 0, magicLength));
    }
    int at = WalFormat.MAGIC.length;
    int length = 0;
    for (int shift = 0; ; shift += 7) {
      if (at >= start.length) {
        return TORN;
      }
      byte b = start[at++];
      length |= (b & 0x7F) << shift;
      if (b >= 0) {
        break;
      }
      if (shift == 14) {
        throw new CorruptWalException(file.path(), 4, "expected a header length, found nonsense");
      }
    }
    if (length == 0 && at < start.length && start[at] == 0) {
      throw new CorruptWalException(file.path(), 4, "expected a header, found zeros");
    }
    if (length > WalFormat.HEADER_LENGTH_MAX) {
      throw new CorruptWalException(
          file.path(),
          4,
          "expected a header of at most "
              + WalFormat.HEADER_LENGTH_MAX
              + " bytes, found a length of "
              + length);
    }
    if (length > start.length - at) {
      // A file that has room for a header and an entry has a whole header.
      if (start.length < WalFormat.headerSizeMax()) {
        return TORN;
      }
      throw new CorruptWalException(
          file.path(),
          4,
          "expected a header inside the file's "
              + start.length
              + " bytes, found a length of "
              + length);
    }
    return parse(file.path(), Arrays.copyOfRange(start, at, at + length), at + length);
  }

  private static WalHeader parse(String path, byte[] bytes, long end) throws IOException {
    WALProtos.WALHeader header;
    try {
      header = WALProtos.WALHeader.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptWalException(path, 4, "expected a WALHeader message: " + e.getMessage());
    }
    boolean ours = !header.getUnknownFields().asMap().isEmpty();
    List<Long> salts = header.getUnknownFields().getField(WalFormat.HEADER_SALT).getFixed64List();
    if (ours && (salts.size() != 1 || !WalFormat.headerChecksumHolds(bytes))) {
      throw new CorruptWalException(path, 4, "the header does not agree with its checksum");
    }
    if (header.hasEncryptionKey() || header.getWriterClsName().startsWith("Secure")) {
      throw new UnsupportedWalException(
          "The log file " + path + " is encrypted. Encrypted logs are not supported");
    }
    String codec = header.getCellCodecClsName();
    if (!CODECS.contains(codec)
        || header.getHasCompression() && !codec.isEmpty() && !codec.equals(WalFormat.CODEC_CLASS)) {
      throw new UnsupportedWalException(
          "The log file "
              + path
              + " holds cells in the form of "
              + codec
              + (header.getHasCompression() ? " and is compressed" : "")
              + ", which is not supported");
    }
    return new WalHeader(
        end,
        ours,
        ours ? salts.get(0) : 0,
        compression(path, header),
        header.getWriterClsName(),
        codec);
  }

  private static WalCompression compression(String path, WALProtos.WALHeader header)
      throws IOException {
    if (!header.getHasCompression()) {
      return WalCompression.NONE;
    }
    if (!header.getHasValueCompression()) {
      return new WalCompression(true, header.getHasTagCompression(), Optional.empty());
    }
    int code = header.getValueCompressionAlgorithm();
    for (WalValueCompression values : WalValueCompression.values()) {
      if (values.code() == code) {
        return new WalCompression(true, header.getHasTagCompression(), Optional.of(values));
      }
    }
    throw new UnsupportedWalException(
        "The log file "
            + path
            + " holds values compressed with HBase's algorithm number "
            + code
            + ", which is not supported; let the server that wrote it shut down in good order");
  }

  /** Returns where the trailer begins, if the file ends with one that belongs to it. */
  Optional<Long> findTrailer(ReadableFile file) throws IOException {
    long suffixAt = file.length() - WalFormat.TRAILER_SUFFIX_SIZE;
    if (suffixAt < end) {
      return Optional.empty();
    }
    byte[] suffix = new byte[WalFormat.TRAILER_SUFFIX_SIZE];
    file.readFully(suffixAt, suffix, 0, suffix.length);
    int length = Bytes.getInt(suffix, 0);
    if (!Arrays.equals(suffix, 4, 8, WalFormat.TRAILER_MAGIC, 0, 4)
        || length < 0
        || length > Math.min(WalFormat.HEADER_LENGTH_MAX, suffixAt - end)
        || (isChecksummed && length != WalFormat.TRAILER_SIZE)) {
      return Optional.empty();
    }
    byte[] trailer = new byte[length];
    file.readFully(suffixAt - length, trailer, 0, length);
    try {
      List<Long> salts =
          WALProtos.WALTrailer.parseFrom(trailer)
              .getUnknownFields()
              .getField(WalFormat.TRAILER_SALT)
              .getFixed64List();
      return !isChecksummed || salts.equals(List.of(salt))
          ? Optional.of(suffixAt - length)
          : Optional.empty();
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }
}
