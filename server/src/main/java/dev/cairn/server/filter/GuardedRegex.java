package dev.cairn.server.filter;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos;
import org.jcodings.specific.NonStrictUTF8Encoding;
import org.joni.Matcher;
import org.joni.Option;
import org.joni.Regex;
import org.joni.Syntax;

/**
 * Compares like HBase's {@code RegexStringComparator}, but stops when its call ends. A value that
 * contains a match is equal; any other value is less. Thread-safe.
 *
 * <p>The engine JONI gets a copy of the value, because it reads bytes after the end of a value in a
 * larger array.
 */
final class GuardedRegex extends ByteArrayComparable {
  private final ByteArrayComparable stock;
  private final EvaluationGuard guard;
  private final Search search;

  /** A search with one of the two engines. */
  @FunctionalInterface
  private interface Search {
    boolean finds(EvaluationGuard.Limit limit, byte[] value, int offset, int length);
  }

  private GuardedRegex(ByteArrayComparable stock, EvaluationGuard guard, Search search) {
    super(stock.getValue());
    this.stock = stock;
    this.guard = guard;
    this.search = search;
  }

  /**
   * Returns a comparator with the expression, flags, character set and engine of {@code stock}.
   *
   * @param message the message that {@code stock} was parsed from
   */
  static GuardedRegex of(
      ByteArrayComparable stock,
      ComparatorProtos.RegexStringComparator message,
      EvaluationGuard guard)
      throws IOException {
    if (RegexStringComparator.EngineType.JONI.name().equals(message.getEngine())) {
      return new GuardedRegex(
          stock, guard, new JoniSearch(message.getPattern(), message.getPatternFlags()));
    }
    // HBase takes an unknown character set as UTF-8, so ask stock for the result.
    ComparatorProtos.RegexStringComparator known =
        ComparatorProtos.RegexStringComparator.parseFrom(stock.toByteArray());
    return new GuardedRegex(
        stock,
        guard,
        new JavaSearch(
            Pattern.compile(known.getPattern(), known.getPatternFlags()),
            Charset.forName(known.getCharset())));
  }

  @Override
  public byte[] toByteArray() {
    return stock.toByteArray();
  }

  @Override
  public int compareTo(byte[] value, int offset, int length) {
    return search.finds(guard.current(), value, offset, length) ? 0 : 1;
  }

  private record JavaSearch(Pattern pattern, Charset charset) implements Search {
    @Override
    public boolean finds(EvaluationGuard.Limit limit, byte[] value, int offset, int length) {
      limit.begin();
      String text = new String(value, offset, length, charset);
      return pattern.matcher(new CheckedText(text, limit)).find();
    }
  }

  /**
   * Searches with JONI. Compiles the expression as UTF-8 regardless of the character set, as HBase
   * does.
   */
  private record JoniSearch(Regex regex) implements Search {
    JoniSearch(String pattern, int flags) {
      this(compile(pattern.getBytes(StandardCharsets.UTF_8), options(flags)));
    }

    @Override
    public boolean finds(EvaluationGuard.Limit limit, byte[] value, int offset, int length) {
      Matcher matcher = regex.matcher(Arrays.copyOfRange(value, offset, offset + length));
      int[] found = {Matcher.FAILED};
      limit.search(
          () -> found[0] = matcher.search(0, length, regex.getOptions()), matcher::interrupt);
      if (found[0] == Matcher.INTERRUPTED) {
        limit.check();
      }
      return found[0] >= 0;
    }

    private static Regex compile(byte[] pattern, int options) {
      return new Regex(
          pattern, 0, pattern.length, options, NonStrictUTF8Encoding.INSTANCE, Syntax.Java);
    }

    private static int options(int flags) {
      int options = Option.NONE;
      if ((flags & Pattern.CASE_INSENSITIVE) != 0) {
        options |= Option.IGNORECASE;
      }
      if ((flags & Pattern.DOTALL) != 0) {
        options |= Option.MULTILINE; // JONI's name for "the dot matches line ends"
      }
      if ((flags & Pattern.MULTILINE) != 0) {
        options |= Option.NEGATE_SINGLELINE;
      }
      return options;
    }
  }
}
