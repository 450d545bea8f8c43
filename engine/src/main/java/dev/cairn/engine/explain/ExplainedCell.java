package dev.cairn.engine.explain;

import dev.cairn.engine.scan.CellOutcome;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A cell and its outcome.
 *
 * @param family its family
 * @param qualifier its column
 * @param timestamp its timestamp
 * @param type the code of its type
 * @param sequence the number of the write that made it, higher is later; 0 if its file no longer
 *     says
 * @param value the beginning of its value, {@link #VALUE_BYTES_MAX} bytes at most; empty if that
 *     lies in a MOB file
 * @param valueLength the length of its value, bytes
 * @param mobFile the name of the MOB file that has its value; empty if it has it itself
 * @param fate its outcome
 * @param culprit the cell that hides it, if it was one
 * @param expiresMillis when its time to live ends or ended, its own or its family's, whichever is
 *     earlier, milliseconds since 1970; empty if it lives forever
 * @param source its source: the index of the memstore or file in {@link ScanReport.Family#sources}
 *     of its family
 */
public record ExplainedCell(
    byte[] family,
    byte[] qualifier,
    long timestamp,
    int type,
    long sequence,
    byte[] value,
    int valueLength,
    Optional<String> mobFile,
    CellOutcome fate,
    Optional<HiddenBy> culprit,
    OptionalLong expiresMillis,
    int source) {
  /** The number of bytes shown of a value. */
  public static final int VALUE_BYTES_MAX = 64;

  /**
   * The number of bytes shown of a MOB file's name; all names that HBase and Cairn give are
   * shorter.
   */
  static final int FILE_NAME_BYTES_MAX = 255;

  ExplainedCell withFate(CellOutcome other) {
    return new ExplainedCell(
        family,
        qualifier,
        timestamp,
        type,
        sequence,
        value,
        valueLength,
        mobFile,
        other,
        Optional.empty(),
        expiresMillis,
        source);
  }

  /**
   * The cell that hides another one: a delete marker, or a newer write of the same version.
   *
   * @param type the code of its type
   * @param timestamp its timestamp
   * @param sequence the number of the write that made it; 0 if its file no longer says
   * @param source its source, as {@link ExplainedCell#source}
   */
  public record HiddenBy(int type, long timestamp, long sequence, int source) {}
}
