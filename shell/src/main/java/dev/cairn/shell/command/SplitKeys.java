package dev.cairn.shell.command;

import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.split.SplitAlgorithm;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/** Finds the rows at which a new table is split. */
final class SplitKeys {
  /** The options of {@code create} for splits. */
  static final List<String> NAMES = List.of("SPLITS", "SPLITS_FILE", "NUMREGIONS", "SPLITALGO");

  private SplitKeys() {}

  /**
   * Removes the options for splits, and returns the rows at which regions begin; none for one
   * region.
   */
  static List<byte[]> take(Options options) throws IOException {
    Optional<Value> splits = options.take("SPLITS");
    Optional<String> file = options.letters("SPLITS_FILE");
    Optional<Integer> regions = options.integer("NUMREGIONS");
    Optional<String> algorithm = options.letters("SPLITALGO");
    if (splits.isPresent()) {
      return Conversions.list(splits.get()).stream()
          .map(split -> Conversions.bytes(split, "SPLITS"))
          .toList();
    } else if (file.isPresent()) {
      return ofFile(Path.of(file.get()));
    } else if (regions.isPresent()) {
      if (regions.get() < 2) {
        throw new ShellException("Number of regions must be greater than 1");
      }
      return even(
          regions.get(),
          algorithm.orElseThrow(() -> new ShellException("Split algorithm must be specified")));
    } else if (algorithm.isPresent()) {
      throw new ShellException("Number of regions must be specified: NUMREGIONS => 16");
    }
    return List.of();
  }

  /**
   * Reads a file of rows, one per line, with bytes in the form \x00 where they are not printable.
   */
  private static List<byte[]> ofFile(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw new ShellException("Splits file " + file + " does not exist or cannot be read");
    }
    List<byte[]> keys = new ArrayList<>();
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      if (!line.isBlank()) {
        keys.add(
            line.strip().contains("\\x")
                ? Bytes.toBytesBinary(line.strip())
                : line.strip().getBytes(StandardCharsets.UTF_8));
      }
    }
    return keys;
  }

  /** Divides all rows of an algorithm's kind into equal parts. */
  private static List<byte[]> even(int regions, String algorithm) {
    // Scripts may contain the name of HBase's class.
    String name =
        algorithm.substring(Math.max(algorithm.lastIndexOf('.'), algorithm.lastIndexOf('$')) + 1);
    try {
      return SplitAlgorithm.of(name, "", "").split(regions);
    } catch (IllegalArgumentException e) {
      throw new ShellException(e.getMessage(), e);
    }
  }
}
