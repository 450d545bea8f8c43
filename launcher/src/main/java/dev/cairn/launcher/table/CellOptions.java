package dev.cairn.launcher.table;

import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.tools.bulk.FileSelection;
import dev.cairn.tools.bulk.RowRange;
import dev.cairn.tools.bulk.Selection;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select cells by their rows, timestamps, columns and a filter. */
abstract class CellOptions {
  @Option(
      names = "--start-row",
      paramLabel = "ROW",
      defaultValue = "",
      description = "The first row; \\x41 means a byte (default: the table's first).")
  private String startRow;

  @Option(
      names = "--stop-row",
      paramLabel = "ROW",
      defaultValue = "",
      description = "The first excluded row (default: none).")
  private String stopRow;

  @Option(
      names = "--start-time",
      paramLabel = "TIME",
      description = "The first timestamp: milliseconds, or a time like 2026-01-31T12:00:00Z.")
  private Optional<String> startTime;

  @Option(names = "--end-time", paramLabel = "TIME", description = "The first excluded timestamp.")
  private Optional<String> endTime;

  @Option(
      names = "--families",
      paramLabel = "F,…",
      split = ",",
      description = "Only these families, or columns such as f:q.")
  private List<String> families = List.of();

  @Option(
      names = "--filter",
      paramLabel = "FILTER",
      description = "A condition in the filter language, such as \"PrefixFilter('a')\".")
  private Optional<String> filter;

  /** Returns the selection, of at most {@code versions} versions of a column. */
  Selection selection(int versions, boolean raw) {
    long start = startTime.map(text -> time("--start-time", text)).orElse(0L);
    long end = endTime.map(text -> time("--end-time", text)).orElse(Long.MAX_VALUE);
    if (start >= end) {
      throw new LauncherException("--start-time must be before --end-time");
    }
    return new Selection(
        new RowRange(Bytes.toBytesBinary(startRow), Bytes.toBytesBinary(stopRow)),
        start,
        end,
        versions,
        raw,
        columns(families),
        filter.map(CellOptions::filter));
  }

  static List<Selection.Column> columns(List<String> names) {
    List<Selection.Column> columns = new ArrayList<>();
    for (String name : names) {
      int colon = name.indexOf(':');
      columns.add(
          colon < 0
              ? new Selection.Column(Bytes.toBytesBinary(name), Optional.empty())
              : new Selection.Column(
                  Bytes.toBytesBinary(name.substring(0, colon)),
                  Optional.of(Bytes.toBytesBinary(name.substring(colon + 1)))));
    }
    return columns;
  }

  private static long time(String option, String text) {
    try {
      return text.matches("[0-9]+") ? Long.parseLong(text) : Instant.parse(text).toEpochMilli();
    } catch (NumberFormatException | DateTimeParseException e) {
      throw new LauncherException(
          option + " is " + text + ": write milliseconds, or such as 2026-01-31T12:00:00Z", e);
    }
  }

  private static Selection.NamedFilter filter(String text) {
    try {
      return Selection.NamedFilter.parse(text);
    } catch (CharacterCodingException | RuntimeException e) {
      throw new LauncherException("--filter: " + Failures.reason(e), e);
    }
  }

  /** The options that select cells of a table. */
  static final class OfTable extends CellOptions {
    @Option(
        names = "--versions",
        paramLabel = "N",
        description = "Maximum versions of a column (default: 1).")
    private Optional<Integer> versions;

    @Option(
        names = "--raw",
        description = "Also deleted cells and the markers of deletions, and all versions.")
    private boolean raw;

    Selection selection() {
      int count = versions.orElse(raw ? Integer.MAX_VALUE : 1);
      if (count < 1) {
        throw new LauncherException("--versions must be at least 1, not " + count);
      }
      return selection(count, raw);
    }
  }

  /** The options that select cells of files, in all versions, and rename their families. */
  static final class OfFiles extends CellOptions {
    @Mixin private RenameOptions renames;

    FileSelection selection() {
      return new FileSelection(selection(Integer.MAX_VALUE, true), renames.renames());
    }
  }
}
