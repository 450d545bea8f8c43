package dev.cairn.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.apache.commons.lang3.StringUtils;

/** Finds the known name that is nearest to a misspelt one. */
public final class NearestName {
  /** Shorter names get no suggestion: too many other names are near them. */
  private static final int LENGTH_MIN = 4;

  /** Names of this length or more may differ in two letters. */
  private static final int LONG_LENGTH = 12;

  private static final int FAR = -1;

  private NearestName() {}

  /**
   * Returns the name among {@code known} that differs from {@code name} in one letter, in two
   * letters if it is long, or only in case.
   *
   * @param name a name that is not in {@code known}
   */
  public static Optional<String> of(String name, Collection<String> known) {
    if (name.length() < LENGTH_MIN) {
      return Optional.empty();
    }
    String wanted = name.toLowerCase(Locale.ROOT);
    int most = name.length() < LONG_LENGTH ? 1 : 2;
    ToIntFunction<String> distance =
        candidate -> distance(wanted, candidate.toLowerCase(Locale.ROOT), most);
    return known.stream()
        .filter(candidate -> candidate.length() >= LENGTH_MIN)
        .filter(candidate -> distance.applyAsInt(candidate) != FAR)
        .min(Comparator.comparingInt(distance).thenComparing(Comparator.naturalOrder()));
  }

  /**
   * Returns the edit distance. The deprecated method's replacement is in a library that nothing
   * else needs.
   */
  @SuppressWarnings("deprecation")
  private static int distance(String left, String right, int most) {
    return StringUtils.getLevenshteinDistance(left, right, most);
  }
}
