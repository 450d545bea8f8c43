package dev.cairn.keys;

import dev.cairn.keys.hash.HashFunction;
import java.util.List;

/**
 * The first bytes of a hash of other parts, which spreads keys and keeps those together that have
 * the same values there.
 *
 * @param function the hash function
 * @param width how many bytes of the hash are kept
 * @param of the names of later parts, whose bytes without terminators are hashed one after the
 *     other; if empty, all bytes of the key that follow are hashed
 */
public record HashPart(HashFunction function, int width, List<String> of) implements KeyPart {
  /** Checks the width. */
  public HashPart {
    of = List.copyOf(of);
    if (width < 1 || width > function.width()) {
      throw new IllegalArgumentException(
          "a hash of " + function.word() + " has 1 to " + function.width() + " bytes");
    }
  }

  @Override
  public String toString() {
    String kept = width == function.width() ? "" : ", " + width;
    return "hash(" + function.word() + kept + ")" + FormatText.of(of);
  }
}
