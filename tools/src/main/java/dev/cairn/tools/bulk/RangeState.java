package dev.cairn.tools.bulk;

import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The progress of a range of rows, as a line of a {@link Journal}.
 *
 * @param files number of files that hold the finished rows
 * @param rows number of finished rows
 * @param next first unfinished row; empty if the whole range is done
 */
record RangeState(int files, long rows, Optional<byte[]> next) {
  private static final String DONE = "done";
  private static final String FROM = "from";

  static RangeState begin(RowRange range) {
    return new RangeState(0, 0, Optional.of(range.start()));
  }

  boolean isDone() {
    return next.isEmpty();
  }

  String text() {
    return (isDone() ? DONE : FROM)
        + " "
        + files
        + " "
        + rows
        + " "
        + Bytes.toStringBinary(next.orElse(new byte[0]));
  }

  static RangeState parse(String text) {
    String[] words = text.split(" ", 4);
    return new RangeState(
        Integer.parseInt(words[1]),
        Long.parseLong(words[2]),
        words[0].equals(DONE) ? Optional.empty() : Optional.of(Bytes.toBytesBinary(words[3])));
  }
}
