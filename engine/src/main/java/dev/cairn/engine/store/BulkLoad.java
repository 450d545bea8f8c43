package dev.cairn.engine.store;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.reader.HFileInfo;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What HBase says of a file that was loaded in bulk: its name holds the sequence number under which
 * all its cells count ({@code name_SeqId_number_}); its file info may say that they keep the
 * numbers they are stored with.
 */
final class BulkLoad {
  private static final Pattern NAME = Pattern.compile(".*_SeqId_([0-9]{1,18})_.*?");
  private static final byte[] KEEPS_SEQUENCES = Bytes.utf8("SKIP_RESET_SEQ_ID");

  private BulkLoad() {}

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
