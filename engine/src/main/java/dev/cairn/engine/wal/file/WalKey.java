package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Reads the protobuf message {@code WALKey}, without an object per field; reused from entry to
 * entry. Fields that it does not know are passed over. One thread.
 *
 * <p>Names are represented by their positions in the parsed bytes.
 */
final class WalKey {
  private int regionOffset;
  private int regionLength;
  private int tableOffset;
  private int tableLength;
  private int[] familyOffsets = new int[4];
  private int[] familyLengths = new int[4];
  private int familyCount;
  private long sequence;
  private long writeTimeMillis;
  private int cellCount;
  private long nonceGroup;
  private long nonce;
  private List<UUID> clusterIds = List.of();

  /** For each attribute the offset and length of its name, then those of its value. */
  private List<int[]> attributes = List.of();

  private long cellsLength;
  private long durableOffset;
  private long flushedOffset;
  private int cellsChecksum;
  private int seen;
  private int at;

  int regionOffset() {
    return regionOffset;
  }

  int regionLength() {
    return regionLength;
  }

  int tableOffset() {
    return tableOffset;
  }

  int tableLength() {
    return tableLength;
  }

  /** Returns how many families the key names, each with its replication scope. */
  int familyCount() {
    return familyCount;
  }

  int familyOffset(int i) {
    return familyOffsets[i];
  }

  int familyLength(int i) {
    return familyLengths[i];
  }

  long sequence() {
    return sequence;
  }

  long writeTimeMillis() {
    return writeTimeMillis;
  }

  int cellCount() {
    return cellCount;
  }

  Nonce nonce() {
    return nonce == 0 ? Nonce.NONE : new Nonce(nonceGroup, nonce);
  }

  List<UUID> clusterIds() {
    return clusterIds;
  }

  /** Returns for each attribute the offset and length of its name, then those of its value. */
  List<int[]> attributes() {
    return attributes;
  }

  long cellsLength() {
    return cellsLength;
  }

  long durableOffset() {
    return durableOffset;
  }

  /** Returns 0 if the key has none. */
  long flushedOffset() {
    return flushedOffset;
  }

  int cellsChecksum() {
    return cellsChecksum;
  }

  /**
   * Checks a key's own checksum.
   *
   * @param start where its length prefix begins
   * @param end where the key ends
   */
  static void verify(CRC32C crc, byte[] bytes, int start, int end, long salt) throws WalDamage {
    int covered = end - 4 - start;
    if (covered <= 0) {
      throw WalDamage.wrong(
          "expected a key with a checksum, found one of " + (end - start) + " bytes");
    }
    int expected = WalFormat.keyChecksum(crc, bytes, start, covered, salt);
    int found = Integer.reverseBytes(Bytes.getInt(bytes, end - 4));
    if (expected != found) {
      throw WalDamage.wrong("expected key checksum %08x, found %08x".formatted(expected, found));
    }
  }

  /** Takes the fields from {@code bytes[from, to)}. */
  void parse(byte[] bytes, int from, int to, boolean checksummed) throws WalDamage {
    seen = 0;
    cellCount = 0;
    nonceGroup = 0;
    nonce = 0;
    clusterIds = List.of();
    attributes = List.of();
    flushedOffset = 0;
    familyCount = 0;
    at = from;
    while (at < to) {
      long tag = varint(bytes, to);
      int field = (int) (tag >>> 3);
      int wire = (int) tag & 7;
      if (field == 0) {
        throw WalDamage.wrong("expected a field of the key, found number 0");
      }
      switch (wire) {
        case WalFormat.WIRE_VARINT -> number(field, varint(bytes, to));
        case WalFormat.WIRE_FIXED64 -> skip(8, to);
        case WalFormat.WIRE_FIXED32 -> {
          skip(4, to);
          if (field == WalFormat.KEY_CELLS_CHECKSUM) {
            cellsChecksum = Integer.reverseBytes(Bytes.getInt(bytes, at - 4));
            seen |= 1 << 6;
          }
        }
        case WalFormat.WIRE_BYTES -> {
          long length = varint(bytes, to);
          skip(length, to);
          text(field, bytes, at - (int) length, (int) length);
        }
        default -> throw WalDamage.wrong("expected a protobuf wire type, found " + wire);
      }
    }
    int required = checksummed ? 0b1111111 : 0b1111;
    if ((seen & required) != required) {
      throw WalDamage.wrong(
          "expected all required fields of the key, found the set %x".formatted(seen));
    }
  }

  private void number(int field, long value) throws WalDamage {
    switch (field) {
      case WalFormat.KEY_SEQUENCE -> {
        sequence = value;
        seen |= 1 << 2;
      }
      case WalFormat.KEY_WRITE_TIME -> {
        writeTimeMillis = value;
        seen |= 1 << 3;
      }
      case WalFormat.KEY_CELL_COUNT -> {
        if (value < 0 || value > Integer.MAX_VALUE) {
          throw WalDamage.wrong("expected a number of cells, found " + value);
        }
        cellCount = (int) value;
      }
      case WalFormat.KEY_NONCE_GROUP -> nonceGroup = value;
      case WalFormat.KEY_NONCE -> nonce = value;
      case WalFormat.KEY_CELLS_LENGTH -> {
        cellsLength = value;
        seen |= 1 << 4;
      }
      case WalFormat.KEY_DURABLE_OFFSET -> {
        durableOffset = value;
        seen |= 1 << 5;
      }
      case WalFormat.KEY_FLUSHED_OFFSET -> flushedOffset = value;
      default -> {
        // one of HBase's that this log has no use for, or of a later version
      }
    }
  }

  private void text(int field, byte[] bytes, int offset, int length) throws WalDamage {
    switch (field) {
      case WalFormat.KEY_REGION -> {
        regionOffset = offset;
        regionLength = length;
        seen |= 1;
      }
      case WalFormat.KEY_TABLE -> {
        tableOffset = offset;
        tableLength = length;
        seen |= 1 << 1;
      }
      case WalFormat.KEY_SCOPES -> family(bytes, offset, offset + length);
      case WalFormat.KEY_CLUSTER_IDS -> clusterId(bytes, offset, offset + length);
      case WalFormat.KEY_ATTRIBUTES -> attribute(bytes, offset, offset + length);
      default -> {
        // one of HBase's that this log has no use for, or of a later version
      }
    }
  }

  /** Takes the family of a {@code FamilyScope}, which HBase writes as its first field. */
  private void family(byte[] bytes, int from, int to) throws WalDamage {
    int behind = at;
    at = from;
    if (varint(bytes, to) != WalFormat.tag(WalFormat.SCOPE_FAMILY, WalFormat.WIRE_BYTES)) {
      throw WalDamage.wrong("expected the family of a replication scope");
    }
    long length = varint(bytes, to);
    int offset = at;
    skip(length, to);
    at = behind;
    if (familyCount == familyOffsets.length) {
      familyOffsets = Arrays.copyOf(familyOffsets, 2 * familyCount);
      familyLengths = Arrays.copyOf(familyLengths, 2 * familyCount);
    }
    familyOffsets[familyCount] = offset;
    familyLengths[familyCount++] = (int) length;
  }

  /** Takes a {@code UUID}. */
  private void clusterId(byte[] bytes, int from, int to) throws WalDamage {
    int behind = at;
    long least = 0;
    long most = 0;
    at = from;
    while (at < to) {
      long tag = varint(bytes, to);
      long value = varint(bytes, to);
      if (tag == WalFormat.tag(WalFormat.UUID_LEAST, WalFormat.WIRE_VARINT)) {
        least = value;
      } else if (tag == WalFormat.tag(WalFormat.UUID_MOST, WalFormat.WIRE_VARINT)) {
        most = value;
      } else {
        throw WalDamage.wrong("expected a cluster id, found a field with the tag " + tag);
      }
    }
    at = behind;
    if (clusterIds.isEmpty()) {
      clusterIds = new ArrayList<>();
    }
    clusterIds.add(new UUID(most, least));
  }

  /** Takes an {@code Attribute}. */
  private void attribute(byte[] bytes, int from, int to) throws WalDamage {
    int behind = at;
    int[] places = new int[4];
    boolean valued = false;
    at = from;
    while (at < to) {
      long tag = varint(bytes, to);
      long length = varint(bytes, to);
      skip(length, to);
      if (tag == WalFormat.tag(WalFormat.ATTRIBUTE_NAME, WalFormat.WIRE_BYTES)) {
        places[0] = at - (int) length;
        places[1] = (int) length;
      } else if (tag == WalFormat.tag(WalFormat.ATTRIBUTE_VALUE, WalFormat.WIRE_BYTES)) {
        places[2] = at - (int) length;
        places[3] = (int) length;
        valued = true;
      } else {
        throw WalDamage.wrong("expected an attribute, found a field with the tag " + tag);
      }
    }
    at = behind;
    if (!valued) {
      throw WalDamage.wrong("expected the value of an attribute");
    }
    if (attributes.isEmpty()) {
      attributes = new ArrayList<>();
    }
    attributes.add(places);
  }

  private void skip(long length, int to) throws WalDamage {
    if (length < 0 || length > to - at) {
      throw WalDamage.wrong(
          "expected a field inside the key's " + (to - at) + " bytes, found length " + length);
    }
    at += (int) length;
  }

  private long varint(byte[] bytes, int to) throws WalDamage {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at >= to) {
        throw WalDamage.wrong("expected a whole number, found the end of the key");
      }
      byte b = bytes[at++];
      value |= (long) (b & 0x7F) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw WalDamage.wrong("expected a number of at most 10 bytes, found a longer one");
  }
}
