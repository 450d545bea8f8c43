package dev.cairn.engine.store;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.reader.HFileInfo;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The marks of a bulk-loaded file, as HBase writes them: the file's name holds the sequence number
 * of all its cells ({@code name_SeqId_number_}); its file info may say that cells keep the numbers
 * they are stored with.
 */
final class BulkLoad {
  private static final Pattern NAME = Pattern.compile(".*_SeqId_([0-9]{1,18})_.*?");
  private static final Pattern ID = Pattern.compile("([0-9a-f]{16})([0-9a-f]{16})(?:_.*)?");
  private static final int HEX = 16;
  private static final byte[] KEEPS_SEQUENCES = Bytes.utf8("SKIP_RESET_SEQ_ID");

  private BulkLoad() {}

  /**
   * Identifies a loaded file, in the form of a nonce. A compaction keeps it among the nonces of its
   * inputs.
   */
  record Id(long group, long number) {
    /** Returns the identity that a file's name begins with; empty if the file has another name. */
    static Optional<Id> of(String name) {
      Matcher matcher = ID.matcher(name);
      return matcher.matches()
          ? Optional.of(
              new Id(
                  Long.parseUnsignedLong(matcher.group(1), HEX),
                  Long.parseUnsignedLong(matcher.group(2), HEX)))
          : Optional.empty();
    }
  }

  /** Returns the number in the name of a store file, the last one if there are several. */
  static OptionalLong sequence(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches()
        ? OptionalLong.of(Long.parseLong(matcher.group(1)))
        : OptionalLong.empty();
  }

  /** Tells whether the cells keep their own numbers. */
  static boolean keepsSequences(HFileInfo info) {
    byte[] value = info.fileInfo().get(KEEPS_SEQUENCES);
    return value != null && value.length == 1 && value[0] != 0;
  }
}
