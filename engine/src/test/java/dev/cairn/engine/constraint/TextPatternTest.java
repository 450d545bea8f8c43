package dev.cairn.engine.constraint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Patterns match the same texts as those of Java, whose matcher is the reference. */
class TextPatternTest {
  private static final int PATTERNS = 3000;
  private static final int TEXTS = 40;
  private static final String[] CHARACTERS = {
    "a", "b", "0", "_", " ", "\n", "\u00e4", "\ud83d\udc1f"
  };
  private static final String[] ATOMS = {
    "a",
    "b",
    ".",
    "\\d",
    "\\w",
    "\\s",
    "\\D",
    "\\W",
    "\\S",
    "[ab]",
    "[^a]",
    "[a-z0]",
    "[^\\d_]",
    "\\x61",
    "\\x{e4}",
    "\u00e4",
    "\ud83d\udc1f",
    "[\u00e0-\u00ff]",
    "[-a]",
    "[a-]",
    "\\.",
    ""
  };
  private static final String[] TIMES = {"", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"};

  @Test
  void patternsMatchAsJavasDo() {
    long seed = Long.getLong("cairn.seed", System.nanoTime());
    System.out.println("TextPatternTest seed " + seed);
    Random random = new Random(seed);
    int matches = 0;
    for (int i = 0; i < PATTERNS; i++) {
      String text = pattern(random, 3);
      TextPattern pattern = TextPattern.compile(text);
      Pattern reference = Pattern.compile(text, Pattern.UNIX_LINES);
      for (int j = 0; j < TEXTS; j++) {
        String value = text(random);
        boolean expected = reference.matcher(value).matches();
        matches += expected ? 1 : 0;
        assertThat(matches(pattern, value))
            .as("seed %d: pattern <%s>, value <%s>", seed, text, value)
            .isEqualTo(expected);
      }
    }
    assertThat(matches).as("values that match").isBetween(PATTERNS, PATTERNS * TEXTS * 9 / 10);
  }

  private static String pattern(Random random, int depth) {
    StringBuilder text = new StringBuilder();
    int parts = random.nextInt(4);
    for (int i = 0; i < parts; i++) {
      String atom =
          depth > 0 && random.nextInt(3) == 0
              ? (random.nextBoolean() ? "(" : "(?:") + pattern(random, depth - 1) + ")"
              : ATOMS[random.nextInt(ATOMS.length)];
      text.append(atom);
      if (!atom.isEmpty()) {
        text.append(TIMES[random.nextInt(TIMES.length)]);
      }
      if (random.nextInt(5) == 0) {
        text.append('|');
      }
    }
    return text.toString();
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      text.append(CHARACTERS[random.nextInt(CHARACTERS.length)]);
    }
    return text.toString();
  }

  private static boolean matches(TextPattern pattern, String value) {
    byte[] bytes = ("x" + value + "a").getBytes(StandardCharsets.UTF_8);
    return pattern.matches(bytes, 1, bytes.length - 2); // neighbours do not count
  }

  @Test
  void bytesThatAreNotTextMatchNothing() {
    TextPattern any = TextPattern.compile("[^x]*");
    for (byte[] bytes : Utf8Test.MALFORMED) {
      assertThat(any.matches(bytes, 0, bytes.length)).isFalse();
    }
  }

  @Test
  void anExplosiveExpressionTakesNoTime() {
    // Matchers that go back need longer than the age of the world for this value.
    TextPattern pattern = TextPattern.compile("(a*)*b");
    assertThat(matches(pattern, "a".repeat(10_000))).isFalse();
    assertThat(matches(pattern, "a".repeat(10_000) + "b")).isTrue();
  }

  /** The matcher takes microseconds for each byte of such patterns. */
  @Test
  void aValueThatIsTooLongForItsPatternDoesNotMatch() {
    assertThat(matches(TextPattern.compile("a*"), "a".repeat(10_000))).isTrue();
    assertThat(matches(TextPattern.compile("a*"), "a".repeat(10_000_000))).isFalse();
    TextPattern slow = TextPattern.compile("(?:(?:a?){240})*");
    assertThat(matches(slow, "a".repeat(200))).isTrue();
    assertThat(matches(slow, "a".repeat(1000))).isFalse();
  }

  @Test
  void patternsThatWouldBeSlowAreRefused() {
    for (String pattern :
        new String[] {
          "a{1001}", "a{1000}a{1000}", ".{0,900}a.{0,900}b", "(a{100}){100}", "a".repeat(1001)
        }) {
      assertThatThrownBy(() -> TextPattern.compile(pattern))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void patternsThatNeedToGoBackAreRefused() {
    for (String pattern : new String[] {"(a)\\1", "(?=a)a", "(?<!b)a", "a*+", "("}) {
      assertThatThrownBy(() -> TextPattern.compile(pattern))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("error parsing regexp: ");
    }
  }
}
