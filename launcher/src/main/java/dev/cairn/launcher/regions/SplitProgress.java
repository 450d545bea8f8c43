package dev.cairn.launcher.regions;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The progress file of a rolling split, with which an interrupted run continues. A line {@code +
 * START MIDDLE} plans a split; {@code - START MIDDLE} marks it as done. Rows are in the format of
 * HBase's shell; an empty row is {@code ''}. A change survives a power cut once its method has
 * returned; the file is always whole.
 */
record SplitProgress(Path file) {
  private static final String EMPTY = "''";

  /**
   * A region to split.
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
    write(plans.stream().map(plan -> "+ " + plan.text()));
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
    write(Stream.concat(Files.readAllLines(file).stream(), Stream.of("- " + plan.text())));
  }

  private void write(Stream<String> lines) throws IOException {
    String text = lines.map(line -> line + "\n").collect(Collectors.joining());
    folder().writeAll(file.getFileName().toString(), text.getBytes(StandardCharsets.UTF_8));
  }

  private Storage folder() throws IOException {
    return new LocalStorage(file.toAbsolutePath().getParent());
  }

  /** Removes the file after the last split. */
  void end() throws IOException {
    folder().delete(file.getFileName().toString());
  }
}
