package dev.cairn.server.traffic.sketch;

/**
 * A key that a {@link SpaceSaving} sketch holds. The true weight of the key lies between {@link
 * #atLeast} and {@link #count}.
 *
 * @param key the key
 * @param count the estimated weight; never below the true one
 * @param error how much too large {@code count} can be
 */
public record HeavyKey<K>(K key, double count, double error) {
  /** Returns a weight that the key has for certain. */
  public double atLeast() {
    return count - error;
  }
}
