package dev.cairn.server.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.HintingFilter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;

/**
 * Accepts the rows that match one of some rules, and returns the next possible row: the function of
 * a client's {@code FuzzyRowFilter}. HBase's own class matches nothing in a JVM that does not open
 * some of its packages to it; this one is the same in every JVM.
 *
 * <p>A rule is a key with some fixed bytes. A row matches if it has the fixed bytes, as far as the
 * row goes: a longer row may end in anything, and a shorter one only needs to match its beginning.
 *
 * <p>In the message, a rule's mask marks each byte: 0 for fixed and 1 for not, or, as clients
 * prepare it, -1 for fixed and for not fixed 2 (0 from clients before 2.5.9, which do not set the
 * field {@code is_mask_v2}).
 */
final class FuzzyRows extends FilterBase implements HintingFilter {
  private static final byte PREPARED_FIXED = -1;
  private static final byte PREPARED_OPEN = 2;
  private static final byte PREPARED_OPEN_OLD = 0;

  private final List<Rule> rules;
  private boolean rowIsOut;
  private boolean done;

  /** A key, and which of its bytes a row must have. */
  private record Rule(byte[] key, boolean[] fixed) {
    boolean matches(byte[] row, int offset, int length) {
      int end = Math.min(length, key.length);
      for (int i = 0; i < end; i++) {
        if (fixed[i] && row[offset + i] != key[i]) {
          return false;
        }
      }
      return true;
    }

    /**
     * Returns the first row after one that does not match, of those that match and have all fixed
     * bytes.
     */
    Optional<byte[]> after(byte[] row) {
      int changed = -1;
      byte changedTo = 0;
      for (int i = 0; i < Math.min(key.length, row.length); i++) {
        int order = fixed[i] ? Byte.compareUnsigned(key[i], row[i]) : 0;
        if (order > 0) {
          return Optional.of(least(row, i, key[i]));
        }
        if (order < 0) {
          break;
        }
        if (!fixed[i] && row[i] != (byte) 0xFF) {
          changed = i;
          changedTo = (byte) (row[i] + 1);
        }
      }
      return changed < 0 ? Optional.empty() : Optional.of(least(row, changed, changedTo));
    }

    /**
     * Returns the row that follows, in any order of rows, all matching ones before one that does
     * not match.
     */
    Optional<byte[]> before(byte[] row) {
      int changed = -1;
      byte changedTo = 0;
      for (int i = 0; i < Math.min(key.length, row.length); i++) {
        int order = fixed[i] ? Byte.compareUnsigned(key[i], row[i]) : 0;
        if (order < 0) {
          return Optional.of(behindGreatest(row, i, key[i]));
        }
        if (order > 0) {
          break;
        }
        if (!fixed[i] && row[i] != 0) {
          changed = i;
          changedTo = (byte) (row[i] - 1);
        }
      }
      return changed < 0 ? Optional.empty() : Optional.of(behindGreatest(row, changed, changedTo));
    }

    /** The least row with the first {@code at} bytes of {@code row}, and one more byte. */
    private byte[] least(byte[] row, int at, byte value) {
      byte[] next = filled(row, at, value, (byte) 0);
      int end = next.length;
      while (end > at + 1 && !fixed[end - 1]) {
        end--;
      }
      return Arrays.copyOf(next, end);
    }

    /** The first matching row after all that have these first bytes and one more byte. */
    private byte[] behindGreatest(byte[] row, int at, byte value) {
      byte[] last = filled(row, at, value, (byte) 0xFF);
      int end = last.length;
      // The byte at this place is less than that of the row, so that it can be counted up.
      while (last[end - 1] == (byte) 0xFF) {
        end--;
      }
      last[end - 1]++;
      return Arrays.copyOf(last, end);
    }

    private byte[] filled(byte[] row, int at, byte value, byte open) {
      byte[] filled = Arrays.copyOf(row, key.length);
      filled[at] = value;
      for (int i = at + 1; i < key.length; i++) {
        filled[i] = fixed[i] ? key[i] : open;
      }
      return filled;
    }
  }

  private FuzzyRows(List<Rule> rules) {
    this.rules = List.copyOf(rules);
  }

  /**
   * Returns the filter of a message.
   *
   * @throws IllegalArgumentException if a key and its mask differ in length
   */
  static FuzzyRows of(FilterProtos.FuzzyRowFilter message) {
    byte open = message.getIsMaskV2() ? PREPARED_OPEN : PREPARED_OPEN_OLD;
    List<Rule> rules = new ArrayList<>(message.getFuzzyKeysDataCount());
    for (BytesBytesPair pair : message.getFuzzyKeysDataList()) {
      byte[] key = pair.getFirst().toByteArray();
      byte[] mask = pair.getSecond().toByteArray();
      if (key.length != mask.length) {
        throw new IllegalArgumentException(
            "a key of " + key.length + " bytes has a mask of " + mask.length);
      }
      boolean prepared = true;
      for (byte part : mask) {
        prepared &= part == PREPARED_FIXED || part == open;
      }
      boolean[] fixed = new boolean[key.length];
      for (int i = 0; i < fixed.length; i++) {
        fixed[i] = mask[i] == PREPARED_FIXED || !prepared && mask[i] == 0;
      }
      rules.add(new Rule(key, fixed));
    }
    return new FuzzyRows(rules);
  }

  @Override
  public void reset() {
    rowIsOut = false;
  }

  @Override
  public ReturnCode filterCell(Cell cell) {
    for (Rule rule : rules) {
      if (rule.matches(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength())) {
        return ReturnCode.INCLUDE;
      }
    }
    rowIsOut = true;
    return ReturnCode.SEEK_NEXT_USING_HINT;
  }

  /** Returns where a row that did not match is followed by one that may. */
  @Override
  public Cell getNextCellHint(Cell cell) {
    byte[] row =
        Arrays.copyOfRange(
            cell.getRowArray(), cell.getRowOffset(), cell.getRowOffset() + cell.getRowLength());
    Optional<byte[]> nearest = Optional.empty();
    for (Rule rule : rules) {
      Optional<byte[]> next = reversed ? rule.before(row) : rule.after(row);
      if (next.isPresent() && (nearest.isEmpty() || isNearer(next.get(), nearest.get()))) {
        nearest = next;
      }
    }
    done = nearest.isEmpty();
    // To HBase's classes no hint is null.
    return nearest
        .map(next -> PrivateCellUtil.createFirstOnRow(next, 0, (short) next.length))
        .orElse(null);
  }

  @Override
  public boolean filterAllRemaining() {
    return done;
  }

  @Override
  public boolean filterRow() {
    return rowIsOut;
  }

  @Override
  public String toString() {
    return "FuzzyRowFilter";
  }

  private boolean isNearer(byte[] a, byte[] b) {
    int order = Arrays.compareUnsigned(a, b);
    return reversed ? order > 0 : order < 0;
  }
}
