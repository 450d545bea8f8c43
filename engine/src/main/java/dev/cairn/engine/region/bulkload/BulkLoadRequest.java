package dev.cairn.engine.region.bulkload;

import dev.cairn.engine.cell.Bytes;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Store files that are to become part of a region, all of them or none.
 *
 * @param id names the load, in lower-case hexadecimal digits. A load that is repeated after a crash
 *     must have the same name
 * @param files at least one
 * @param sequence which sequence number the cells get
 * @param check how much of the files is read before they are loaded
 */
public record BulkLoadRequest(String id, List<File> files, Sequence sequence, Check check) {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{1,64}");

  /** Selects the sequence numbers of the loaded cells. */
  public enum Sequence {
    /** A new number: the cells are treated as written at the time of the load. */
    NEW,
    /** The numbers in the files, or 0 if there are none. */
    STORED
  }

  /** Selects how much of each file is read before the load. */
  public enum Check {
    /** Only the beginning, the end and the index. */
    ENDS,
    /** Every cell. */
    ALL
  }

  /**
   * A file of a load.
   *
   * @param family the family that all cells must have
   * @param path its path in the region's storage
   */
  public record File(byte[] family, String path) {}

  /** Checks the name, and that there are files. */
  public BulkLoadRequest {
    files = List.copyOf(files);
    if (!ID.matcher(id).matches() || files.isEmpty()) {
      throw new IllegalArgumentException("The load " + id + " has no proper name or no files");
    }
  }

  /** Returns the first part of a file's name in its store. A repeated load uses the same name. */
  public String namePrefix(File file) {
    String text = id + '\n' + Bytes.utf8(file.family()) + '\n' + file.path();
    return Bytes.md5(Bytes.utf8(text));
  }
}
