package dev.cairn.server.filter;

import java.util.Arrays;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos;

/**
 * HBase's {@code BinaryComponentComparator} reads bytes after the end of a value that is shorter
 * than the component and part of a larger array, such as a block. Its result then depends on the
 * position of the cell. The comparator here reads only the value.
 */
final class ExactComparators {
  private ExactComparators() {}

  /**
   * Returns a comparator of the part of a value that begins at an offset; a value that is too short
   * has a shorter part, or an empty one.
   *
   * @throws IllegalArgumentException if the offset is negative
   */
  static ByteArrayComparable component(ComparatorProtos.BinaryComponentComparator message) {
    if (message.getOffset() < 0) {
      throw new IllegalArgumentException("its offset is negative: " + message.getOffset());
    }
    return new Component(message.getValue().toByteArray(), message.getOffset());
  }

  /** Compares a part of a value. */
  static final class Component extends ByteArrayComparable {
    private final byte[] wanted;
    private final int from;

    private Component(byte[] wanted, int from) {
      super(wanted);
      this.wanted = wanted;
      this.from = from;
    }

    @Override
    public byte[] toByteArray() {
      return new BinaryComponentComparator(wanted, from).toByteArray();
    }

    @Override
    public int compareTo(byte[] value, int offset, int length) {
      int begin = offset + Math.min(from, length);
      int end = Math.min(begin + wanted.length, offset + length);
      return Arrays.compareUnsigned(wanted, 0, wanted.length, value, begin, end);
    }
  }
}
