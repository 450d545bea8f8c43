package dev.cairn.launcher.table;

import dev.cairn.launcher.output.LauncherException;
import dev.cairn.tools.bulk.format.JsonFormat;
import dev.cairn.tools.bulk.format.RowFormat;
import dev.cairn.tools.bulk.format.SequenceFormat;
import dev.cairn.tools.bulk.format.TsvColumns;
import dev.cairn.tools.bulk.format.TsvFormat;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options for the format of files. */
final class FormatOptions {
  private enum Kind {
    SEQUENCE,
    JSON,
    TSV,
    HFILE
  }

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "sequence",
      description =
          "sequence: the files of HBase's Export and Import. json: a row per line. tsv: a row per"
              + " line, its values in fields, see --columns. hfile: store files for completebulkload,"
              + " only written (default: ${DEFAULT-VALUE}).")
  private Kind kind;

  @Option(
      names = "--columns",
      paramLabel = "COLUMNS",
      description =
          "The fields of TSV, as for importtsv: HBASE_ROW_KEY,f:q,…, and HBASE_TS_KEY for a"
              + " timestamp.")
  private Optional<String> columns;

  @Option(
      names = "--separator",
      paramLabel = "C",
      description = "The character between fields of TSV (default: tab).")
  private Optional<String> separator;

  /** The options for writing files. */
  enum Compression {
    NONE,
    RECORD,
    BLOCK,
    GZIP
  }

  /** Returns the columns of TSV; empty for other formats. */
  Optional<TsvColumns> tsvColumns() {
    if (kind != Kind.TSV) {
      if (columns.isPresent() || separator.isPresent()) {
        throw new LauncherException("--columns and --separator are for --format tsv");
      }
      return Optional.empty();
    }
    try {
      return Optional.of(
          TsvColumns.parse(
              columns.orElseThrow(
                  () ->
                      new LauncherException(
                          "--format tsv needs --columns, such as HBASE_ROW_KEY,f:q"))));
    } catch (IllegalArgumentException e) {
      throw new LauncherException("--columns: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the format of files to be written; empty for store files, whose format is that of the
   * table.
   */
  Optional<RowFormat> forWriting(Compression compression, String codec) {
    boolean gzip = compression == Compression.GZIP;
    if (kind == Kind.HFILE && compression != Compression.NONE) {
      throw new LauncherException(
          "--compress is not for store files: their families set the" + " compression");
    }
    if (kind != Kind.SEQUENCE && compression != Compression.NONE && !gzip) {
      throw new LauncherException("--compress of json and tsv must be none or gzip");
    }
    Optional<TsvColumns> fields = tsvColumns();
    return switch (kind) {
      case HFILE -> Optional.empty();
      case JSON -> Optional.of(new JsonFormat(gzip, 0));
      case TSV -> Optional.of(new TsvFormat(fields.orElseThrow(), separatorByte(), gzip, false, 0));
      case SEQUENCE -> Optional.of(sequenceFiles(compression, codec));
    };
  }

  private static RowFormat sequenceFiles(Compression compression, String codec) {
    return switch (compression) {
      case NONE -> SequenceFormat.plain();
      case RECORD -> SequenceFormat.byRecord(codec);
      case BLOCK -> SequenceFormat.byBlock(codec);
      case GZIP ->
          throw new LauncherException("--compress of sequence files must be none, record or block");
    };
  }

  /**
   * Returns the format of files to be read.
   *
   * @param timestamp the timestamp of cells without one, in milliseconds
   */
  RowFormat forReading(boolean skipsEmpty, long timestamp) {
    if (skipsEmpty && kind != Kind.TSV) {
      throw new LauncherException("--skip-empty is for --format tsv");
    }
    Optional<TsvColumns> fields = tsvColumns();
    return switch (kind) {
      case JSON -> new JsonFormat(false, timestamp);
      case TSV ->
          new TsvFormat(fields.orElseThrow(), separatorByte(), false, skipsEmpty, timestamp);
      case SEQUENCE -> SequenceFormat.plain();
      case HFILE ->
          throw new LauncherException(
              "store files are loaded by bin/cairn completebulkload FOLDER TABLE");
    };
  }

  /** Refuses an option that is only for JSON. */
  void requireJson(String option) {
    if (kind != Kind.JSON) {
      throw new LauncherException(option + " is for --format json");
    }
  }

  private byte separatorByte() {
    String text = separator.orElse("\t");
    if (text.length() != 1 || text.charAt(0) > 127 || text.equals("\n")) {
      throw new LauncherException("--separator must be one ASCII character");
    }
    return (byte) text.charAt(0);
  }
}
