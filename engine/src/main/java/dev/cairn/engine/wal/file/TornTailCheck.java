package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Decides whether bytes that are not an entry are the writer's last word or damage.
 *
 * <p>A writer that is killed, or whose machine loses power, leaves a beginning of its last bytes;
 * perhaps with zeros after them, perhaps, after a power cut, with holes in the unsynced part. None
 * of that was acknowledged, and the log ends there. But if bytes follow that were written only
 * after these bytes were durable, then these bytes were acknowledged, and have been damaged since:
 * to end the log there would drop acknowledged entries, the damaged one and those after it. So the
 * rest of the file is searched for such a witness.
 *
 * <ul>
 *   <li>In a file of ours it is a whole entry, checksum included, whose <i>durable offset</i> lies
 *       after these bytes; see {@link WalFormat}. Damage to the last group of entries of a file
 *       without trailer cannot be recognized: nothing was written later that could prove that it
 *       was durable.
 *   <li>If the log promises only that entries survive a killed process, the <i>flushed offset</i>
 *       is a witness as well. A power cut may leave such a file, too; then people decide, as with
 *       HBase. It is none in a file that failed and has a successor, which begins with all that had
 *       not been synced.
 *   <li>A file of HBase's has no checksums. There it is anything that looks like the key of an
 *       entry: HBase writes its files strictly in order. Without one, bytes that end too early are
 *       a torn entry, and so are wrong ones if the file ends in zeros.
 *   <li>A file that ends with its trailer was complete.
 * </ul>
 *
 * One thread.
 */
final class TornTailCheck {
  /** Keys of ours take some hundred bytes; of HBase's, those with long attributes are missed. */
  private static final int WITNESS_KEY_LENGTH_MAX = 4 << 10;

  private static final int REGION_LENGTH_MAX = 64;

  private final WalInput input;
  private final WalHeader header;
  private final KeyReader keys;
  private final String path;
  private final long limit;
  private final boolean superseded;

  /**
   * Creates a judge of one file.
   *
   * @param superseded the log went on in another file
   */
  TornTailCheck(
      WalInput input,
      WalHeader header,
      KeyReader keys,
      String path,
      long limit,
      boolean superseded) {
    this.superseded = superseded;
    this.input = input;
    this.header = header;
    this.keys = keys;
    this.path = path;
    this.limit = limit;
  }

  /**
   * Returns how the file ends.
   *
   * @param lastEntry where the last whole entry begins, {@code position} if there is none
   * @param position where it ends
   * @param closed the file ends with its trailer
   * @throws CorruptWalException if it is damaged there
   */
  WalEnd judge(WalDamage damage, long lastEntry, long position, boolean closed, long fileLength)
      throws IOException {
    if (closed) {
      throw corrupt(damage, position, "the file was closed in good order");
    }
    long zerosFrom = zerosFrom(position);
    if (zerosFrom == position) {
      return new WalEnd(
          WalEnd.Kind.ZEROS, position, fileLength, (limit - position) + " zero bytes");
    }
    // Without checksums, a length that damage made larger may have let the last entry swallow keys.
    Optional<Long> witness = findWitness(header.isChecksummed() ? position : lastEntry, position);
    if (witness.isPresent()) {
      throw corrupt(
          damage,
          position,
          "the entry at " + witness.get() + " shows that it was whole when that was written");
    }
    if (!header.isChecksummed() && !damage.isPastEnd() && zerosFrom == limit) {
      throw corrupt(damage, position, "the file goes on");
    }
    return new WalEnd(WalEnd.Kind.TORN, position, fileLength, damage.getMessage());
  }

  private CorruptWalException corrupt(WalDamage damage, long position, String why) {
    return new CorruptWalException(path, position, damage.getMessage() + "; " + why);
  }

  /**
   * Returns the offset after which there are only zeros; the end of the file if its last byte is
   * none.
   */
  private long zerosFrom(long position) throws IOException {
    long from = position;
    long at = position;
    while (at < limit) {
      int index = load(at, 1);
      int count = (int) Math.min(input.loaded(at), limit - at);
      for (int i = 0; i < count; i++) {
        if (input.bytes()[index + i] != 0) {
          from = at + i + 1;
        }
      }
      at += count;
    }
    return from;
  }

  private Optional<Long> findWitness(long from, long position) throws IOException {
    WalKey candidate = new WalKey();
    for (long at = from + 1; at < limit; at++) {
      // The torn entry's own key proves nothing.
      if (at == position || !mayBeKey(at)) {
        continue;
      }
      try {
        keys.read(at, limit, WITNESS_KEY_LENGTH_MAX, candidate);
        if (header.isChecksummed() ? proves(candidate, position) : looksLikeKey(candidate)) {
          return Optional.of(at);
        }
      } catch (WalDamage notAnEntry) {
        continue;
      }
    }
    return Optional.empty();
  }

  private boolean proves(WalKey later, long position) {
    return later.durableOffset() > position || !superseded && later.flushedOffset() > position;
  }

  /** A key begins with one or two bytes of length, the tag of its first field, and its length. */
  private boolean mayBeKey(long at) throws IOException {
    int count = (int) Math.min(4, limit - at);
    int index = load(at, count);
    byte[] bytes = input.bytes();
    int tagAt = bytes[index] < 0 ? 2 : 1;
    if (tagAt + 1 >= count
        || bytes[index + tagAt] != WalFormat.tag(WalFormat.KEY_REGION, WalFormat.WIRE_BYTES)) {
      return false;
    }
    int regionLength = bytes[index + tagAt + 1];
    return regionLength > 0 && regionLength <= REGION_LENGTH_MAX;
  }

  /** Returns true if the fields without a checksum could be those of a key. */
  private boolean looksLikeKey(WalKey key) {
    if (key.sequence() < 0 || key.writeTimeMillis() < 0) {
      return false;
    }
    // In either form, whatever the header says, because the header may be damaged.
    byte[] bytes = input.bytes();
    return looksLikeName(bytes, key.regionOffset(), key.regionLength())
            && looksLikeName(bytes, key.tableOffset(), key.tableLength())
        || isHex(bytes, key.regionOffset(), key.regionLength())
            && key.tableLength() > 0
            && isTable(bytes, key.tableOffset(), key.tableLength());
  }

  private static boolean isHex(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      if (!(bytes[i] >= '0' && bytes[i] <= '9' || bytes[i] >= 'a' && bytes[i] <= 'f')) {
        return false;
      }
    }
    return true;
  }

  private static boolean isTable(byte[] bytes, int offset, int length) {
    return Bytes.utf8(Arrays.copyOfRange(bytes, offset, offset + length))
        .chars()
        .allMatch(c -> Character.isLetterOrDigit(c) || "_-.:".indexOf(c) >= 0);
  }

  private static boolean looksLikeName(byte[] bytes, int offset, int length) {
    return length == 2 && bytes[offset] >= 0
        || length > 2
            && (bytes[offset] & 0xFF) == WalDictionaries.NEW_NAME
            && bytes[offset + 1] == length - 2;
  }

  private int load(long at, int length) throws IOException {
    try {
      return input.load(at, length, limit, "rest");
    } catch (WalDamage impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
