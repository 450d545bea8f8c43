package dev.cairn.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.apache.commons.lang3.StringUtils;

/** Finds the name that a misspelt one was probably meant to be. */
public final class NearestName {
  /** Shorter names are near too many others. */
  private static final int LENGTH_MIN = 4;

  /** From this length on, two letters may be wrong. */
  private static final int LONG_LENGTH = 12;

  private static final int FAR = -1;

  private NearestName() {}

  /**
   * Returns the name among {@code known} that differs from {@code name} in one letter, in two if it
   * is long, or in upper and lower case alone.
   *
   * @param name is none of {@code known}
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

  /** The replacement of the deprecated method lies in a library that only this line would need. */
  @SuppressWarnings("deprecation")
  private static int distance(String left, String right, int most) {
    return StringUtils.getLevenshteinDistance(left, right, most);
  }
}
