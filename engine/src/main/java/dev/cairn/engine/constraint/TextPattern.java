package dev.cairn.engine.constraint;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Arrays;

/**
 * A pattern for UTF-8 text, in the syntax of RE2. Its matcher does not backtrack, so the time grows
 * with the length of the value times the length of the compiled pattern. This product is limited,
 * because a check may run on a network thread. Immutable.
 */
final class TextPattern {
  /** Maximum instructions of a compiled pattern; the time per character grows with them. */
  private static final int INSTRUCTIONS_MAX = 1000;

  private static final int CHARACTERS_MAX = 1000;

  /**
   * Maximum product of a pattern's instructions and a value's bytes. An instruction takes up to 10
   * ns for each byte, so a check takes at most 2 ms.
   */
  private static final long STEPS_MAX = 200_000;

  private final Pattern pattern;

  private TextPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /**
   * Compiles a pattern.
   *
   * @throws IllegalArgumentException if it is malformed or too complex; the message says why
   */
  static TextPattern compile(String text) {
    if (text.length() > CHARACTERS_MAX) {
      throw tooComplex();
    }
    try {
      Pattern pattern = Pattern.compile(text);
      if (pattern.programSize() > INSTRUCTIONS_MAX) {
        throw tooComplex();
      }
      return new TextPattern(pattern);
    } catch (PatternSyntaxException e) {
      boolean isPlain = !e.getMessage().contains("internal error"); // as for "a)"
      throw new IllegalArgumentException(isPlain ? e.getMessage() : "it is no pattern of RE2", e);
    }
  }

  private static IllegalArgumentException tooComplex() {
    return new IllegalArgumentException("the pattern is too complex");
  }

  /**
   * Tells whether the bytes are UTF-8 and the whole text matches. A value that is too long for the
   * pattern does not match.
   */
  boolean matches(byte[] bytes, int offset, int length) {
    return (long) length * pattern.programSize() <= STEPS_MAX
        && Utf8.length(bytes, offset, length) != Utf8.INVALID
        && pattern.matcher(Arrays.copyOfRange(bytes, offset, offset + length)).matches();
  }
}
