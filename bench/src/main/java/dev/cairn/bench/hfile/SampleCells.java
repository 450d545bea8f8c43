package dev.cairn.bench.hfile;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.hbase.KeyValue;

/**
 * The cells that are written: users' rows with a few columns each, in order, always the same for
 * the same number of cells. Rows take 16 to 24 bytes, qualifiers 2 to 8, values 100: words that
 * repeat and digits that do not, so that about half of a value can be compressed away; every
 * sixteenth value is the one before it once more.
 */
final class SampleCells {
  static final byte[] FAMILY = bytes("d");

  private static final String[] QUALIFIERS = {"id", "mail", "name", "state", "visited"};
  private static final String[] WORDS = {
    "active", "berlin", "customer", "delivered", "express", "from", "gold", "has", "international",
    "january", "kilometre", "london", "member", "new", "open", "paid", "quarter", "returned",
    "since", "tokyo", "until", "verified", "with", "yesterday"
  };
  private static final int VALUE_LENGTH = 100;

  private final CellBuffer cells;
  private final Cell view = new Cell();

  SampleCells(int count) {
    Random random = new Random(42);
    cells = new CellBuffer(count * 160, count);
    byte[] value = new byte[VALUE_LENGTH];
    for (int i = 0; i < count; i++) {
      int user = i / QUALIFIERS.length;
      byte[] row = bytes("user%012d%s".formatted(user * 7919L, "-archived".substring(0, user % 9)));
      if (i % 16 != 0) {
        fill(value, random);
      }
      cells.add(
          row,
          FAMILY,
          bytes(QUALIFIERS[i % QUALIFIERS.length]),
          1_700_000_000_000L + user * 1000L + random.nextInt(1000),
          CellType.PUT.code(),
          value,
          new byte[0]);
    }
  }

  int size() {
    return cells.size();
  }

  /** Returns a view of cell {@code i}, valid until the next call, numbered as a write would be. */
  Cell get(int i) {
    return cells.get(i, view, sequence(i));
  }

  /** Returns all cells as Apache's, over the same bytes. */
  KeyValue[] toKeyValues() {
    KeyValue[] all = new KeyValue[size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = new KeyValue(cells.bytes(i), cells.offset(i), cells.length(i));
      all[i].setSequenceId(sequence(i));
    }
    return all;
  }

  /** Returns the numbers of all cells, shuffled. */
  int[] shuffled() {
    Random random = new Random(43);
    int[] order = new int[size()];
    for (int i = 0; i < order.length; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  private static long sequence(int i) {
    return 100_000 + i / QUALIFIERS.length;
  }

  private static void fill(byte[] value, Random random) {
    int at = 0;
    while (at < value.length) {
      byte[] piece =
          random.nextInt(3) == 0
              ? bytes(Long.toString(random.nextLong() >>> 1))
              : bytes(WORDS[random.nextInt(WORDS.length)]);
      int length = Math.min(piece.length, value.length - at);
      System.arraycopy(piece, 0, value, at, length);
      at += length;
      if (at < value.length) {
        value[at++] = ' ';
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
