package dev.cairn.engine.storage;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Orders the owners of a place in a storage: a later owner has a higher token. Immutable.
 *
 * @param epoch the epoch of the master that decided on the owner; 0 without a master
 * @param order the number of the decision within that epoch
 */
public record FencingToken(long epoch, long order) implements Comparable<FencingToken> {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})-([0-9]{1,18})");
  private static final Comparator<FencingToken> BY_AGE =
      Comparator.comparingLong(FencingToken::epoch).thenComparingLong(FencingToken::order);

  /** Checks the range of the numbers: none is negative or has more than 18 digits. */
  public FencingToken {
    if (epoch < 0 || order < 0 || epoch >= 1e18 || order >= 1e18) {
      throw new IllegalArgumentException("Not a fencing token: " + epoch + ", " + order);
    }
  }

  /** Parses the text of a token; empty if the text is not one. */
  public static Optional<FencingToken> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new FencingToken(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
        : Optional.empty();
  }

  /** Returns the lowest token above this one. */
  public FencingToken next() {
    return new FencingToken(epoch, order + 1);
  }

  @Override
  public int compareTo(FencingToken other) {
    return BY_AGE.compare(this, other);
  }

  /** Returns the text that {@link #parse} reads; also the name of a directory. */
  @Override
  public String toString() {
    return epoch + "-" + order;
  }
}
