package dev.cairn.studies.list;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Values of fixed width in one cell, and the number of the page with the values before them.
 *
 * @param next 0 if there is no other page
 * @param values the latest one last
 */
record Page(int next, List<Long> values) {
  private static final int VALUES_MAX = 30;

  /** Copies the list. */
  Page {
    values = List.copyOf(values);
  }

  /** Reads a page. */
  static Page of(byte[] cell) {
    ByteBuffer in = ByteBuffer.wrap(cell);
    int next = in.getInt();
    List<Long> values = new ArrayList<>();
    while (in.hasRemaining()) {
      values.add(in.getLong());
    }
    return new Page(next, values);
  }

  byte[] bytes() {
    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + values.size() * Long.BYTES).putInt(next);
    values.forEach(out::putLong);
    return out.array();
  }

  boolean isFull() {
    return values.size() >= VALUES_MAX;
  }

  Page with(long value) {
    List<Long> more = new ArrayList<>(values);
    more.add(value);
    return new Page(next, more);
  }

  Page without(long value) {
    List<Long> less = new ArrayList<>(values);
    less.remove(value);
    return new Page(next, less);
  }

  List<Long> latestFirst() {
    List<Long> reversed = new ArrayList<>(values);
    Collections.reverse(reversed);
    return reversed;
  }
}
