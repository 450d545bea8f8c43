package dev.cairn.launcher.bulk;

import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * How far a range of rows is done, as a line of a {@link Journal}.
 *
 * @param files how many files hold the rows that are done
 * @param rows how many rows are done
 * @param next the first row that is not done; empty if the whole range is
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
