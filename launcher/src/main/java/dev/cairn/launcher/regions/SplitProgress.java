package dev.cairn.launcher.regions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The progress file of a rolling split, with which an interrupted run continues. A line {@code +
 * START MIDDLE} plans a split; {@code - START MIDDLE} marks it as done. Rows are in the format of
 * HBase's shell; an empty row is {@code ''}.
 */
record SplitProgress(Path file) {
  private static final String EMPTY = "''";

  /**
   * A region that is to be split.
   *
   * @param start its first row
   * @param middle the row at which it is split
   */
  record Planned(byte[] start, byte[] middle) {
    private String text() {
      String first = start.length == 0 ? EMPTY : Bytes.toStringBinary(start);
      return first.replace(" ", "\\x20") + " " + Bytes.toStringBinary(middle).replace(" ", "\\x20");
    }
  }

  /** Tells whether an earlier run was interrupted. */
  boolean exists() {
    return Files.exists(file);
  }

  /** Creates the file with these plans. */
  void write(List<Planned> plans) throws IOException {
    Path begun = file.resolveSibling(file.getFileName() + "_prepare");
    Files.write(begun, plans.stream().map(plan -> "+ " + plan.text()).toList());
    Files.move(begun, file);
  }

  /** Returns the splits left to do. */
  List<Planned> left() throws IOException {
    Map<String, Planned> left = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] parts = line.split(" ");
      if (parts.length != 3 || !line.matches("[+-] .*")) {
        throw new IOException(file + " is not the progress of a rolling split: <" + line + ">");
      }
      byte[] start = parts[1].equals(EMPTY) ? new byte[0] : Bytes.toBytesBinary(parts[1]);
      Planned planned = new Planned(start, Bytes.toBytesBinary(parts[2]));
      if (parts[0].equals("+")) {
        left.put(planned.text(), planned);
      } else {
        left.remove(planned.text());
      }
    }
    return new ArrayList<>(left.values());
  }

  /** Records that a split is done. */
  void done(Planned plan) throws IOException {
    Files.write(file, List.of("- " + plan.text()), StandardOpenOption.APPEND);
  }

  /** Removes the file after the last split. */
  void end() throws IOException {
    Files.delete(file);
  }
}
