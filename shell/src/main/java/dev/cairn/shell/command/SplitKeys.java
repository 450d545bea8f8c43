package dev.cairn.shell.command;

import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/** Finds the rows at which a new table is split. */
final class SplitKeys {
  /** The options of {@code create} for splits. */
  static final List<String> NAMES = List.of("SPLITS", "SPLITS_FILE", "NUMREGIONS", "SPLITALGO");

  private static final int DIGITS = 8;

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
    String name = algorithm.substring(algorithm.lastIndexOf('.') + 1);
    return switch (name) {
      case "HexStringSplit" -> ofDigits(regions, 16);
      case "DecimalStringSplit" -> ofDigits(regions, 10);
      case "UniformSplit" -> {
        byte[] last = new byte[DIGITS];
        Arrays.fill(last, (byte) 0xff);
        byte[][] ends = Bytes.split(new byte[DIGITS], last, true, regions - 1);
        yield List.of(ends).subList(1, ends.length - 1);
      }
      default ->
          throw new ShellException(
              "There is no split algorithm "
                  + algorithm
                  + ": take UniformSplit, HexStringSplit or DecimalStringSplit");
    };
  }

  private static List<byte[]> ofDigits(int regions, int radix) {
    BigInteger range = BigInteger.valueOf(radix).pow(DIGITS);
    List<byte[]> keys = new ArrayList<>();
    for (int i = 1; i < regions; i++) {
      String digits =
          range.multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(regions)).toString(radix);
      String key = "0".repeat(DIGITS - digits.length()) + digits.toLowerCase(Locale.ROOT);
      keys.add(key.getBytes(StandardCharsets.US_ASCII));
    }
    return keys;
  }
}
