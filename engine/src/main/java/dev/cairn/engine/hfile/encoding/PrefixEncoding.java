package dev.cairn.engine.hfile.encoding;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hfile.format.ByteSink;
import java.io.IOException;

/**
 * HBase's {@code PREFIX}: of each key, the suffix that differs from the key before.
 *
 * <pre>packed length of the rest of the key | packed valueLength | packed common length |
 *     rest of the key | value</pre>
 */
final class PrefixEncoding extends DeltaEncoding {
  PrefixEncoding(boolean compressedTags) {
    super(compressedTags);
  }

  @Override
  void encodeCell(Cell previous, boolean first, Cell cell, int common, ByteSink target) {
    // Equal columns may have the first bytes of their timestamps in common, too.
    int same =
        first ? 0 : commonPrefix(previous, cell, Math.min(previous.keyLength(), cell.keyLength()));
    target.putPacked(cell.keyLength() - same);
    target.putPacked(cell.valueLength());
    target.putPacked(same);
    target.put(cell.bytes(), cell.keyOffset() + same, cell.keyLength() - same);
    target.put(cell.bytes(), cell.valueOffset(), cell.valueLength());
  }

  @Override
  void decodeCell(Decoder decoder) throws IOException {
    int rest = decoder.readPacked();
    int valueLength = decoder.readPacked();
    int common = decoder.readPacked();
    if (rest > Integer.MAX_VALUE - common) {
      throw new IOException("a key of " + rest + " and " + common + " bytes");
    }
    decoder.begin(common + rest, valueLength, common);
    decoder.readKey();
    decoder.readValue(false);
  }
}
