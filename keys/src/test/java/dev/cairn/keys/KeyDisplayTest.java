package dev.cairn.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Keys are shown by the declared format, and as bytes wherever it does not fit. */
class KeyDisplayTest {
  private static final int ROUNDS = Integer.getInteger("cairn.rounds", 2_000);

  private static KeyDisplay display(String format) {
    return KeyDisplay.of(Optional.of(format));
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  @Test
  void aKeyIsShownWithItsParts() {
    KeyDisplay keys = display("salt(16), host string, seq int");
    assertThat(keys.text(bytes("0f 77656231 00 7ffffff9")))
        .isEqualTo("\\x0Fweb1\\x00\\x7F\\xFF\\xFF\\xF9 {host=\"web1\" seq=-7}");
    assertThat(keys.values(bytes("0f 77656231 00 7ffffff9")).get().getInt("seq")).isEqualTo(-7);
  }

  @Test
  void aKeyOfAnotherFormatIsShownAsBytes() {
    KeyDisplay keys = display("salt(16), host string, seq int");
    for (String other : new String[] {"", "77", "0e 77656231 00 7ffffff9", "0f 77656231 00 7fff"}) {
      assertThat(keys.parts(bytes(other))).describedAs(other).isEmpty();
    }
    assertThat(keys.text(bytes("77 00"))).isEqualTo("w\\x00");
  }

  @Test
  void aTableWithoutAFormatShowsBytes() {
    KeyDisplay keys = KeyDisplay.of(Optional.empty());
    assertThat(keys.text(bytes("77 00"))).isEqualTo("w\\x00");
    assertThat(keys.format()).isEmpty();
    assertThat(keys.problem()).isEmpty();
  }

  @Test
  void aMalformedFormatIsNamedAndNotUsed() {
    KeyDisplay keys = display("host strnig");
    assertThat(keys.problem().get())
        .startsWith(
            "KEY_FORMAT is malformed, so row keys are shown as bytes: position 5, part 1 (host):"
                + " unknown type strnig");
    assertThat(keys.text(bytes("77 00"))).isEqualTo("w\\x00");
    assertThat(keys.textOfPrefix(bytes("77 00"))).isEqualTo("w\\x00");
    assertThat(display("").problem()).isPresent();
  }

  @Test
  void aPrefixIsShownWithThePartsThatItHasToTheirEnd() {
    KeyDisplay keys = display("literal(0x75), host string, seq int, path string");
    assertThat(keys.partsOfPrefix(bytes("75 77656231"))).isEmpty();
    assertThat(keys.partsOfPrefix(bytes("75 77656231 00"))).contains("host=\"web1\" …");
    assertThat(keys.partsOfPrefix(bytes("75 77656231 00 8000"))).contains("host=\"web1\" …");
    assertThat(keys.partsOfPrefix(bytes("75 77656231 00 80000007 2f61")))
        .contains("host=\"web1\" seq=7 …");
    assertThat(keys.partsOfPrefix(bytes("76 77656231 00"))).isEmpty();
    assertThat(keys.partsOfPrefix(bytes(""))).isEmpty();
  }

  @Test
  void aBorderMayBeAWholeKey() {
    KeyDisplay keys = display("host string, path string");
    assertThat(keys.textOfBorder(bytes("7700 2f"))).isEqualTo("w\\x00/ {host=\"w\" path=\"/\"}");
    assertThat(display("host string, seq int").textOfBorder(bytes("7700 80")))
        .isEqualTo("w\\x00\\x80 {host=\"w\" …}");
  }

  @Test
  void controlCharactersOfAKeyAreEscaped() {
    String text = display("name string").text("a\u009bb\u0007".getBytes(StandardCharsets.UTF_8));
    assertThat(text).endsWith("{name=\"a\\u009bb\\u0007\"}");
  }

  @Test
  void anyBytesAndAnyTextAreShownWithoutAnError() {
    long seed = Long.getLong("cairn.seed", System.nanoTime());
    Random random = new Random(seed);
    int whole = 0;
    int parts = 0;
    for (int round = 0; round < ROUNDS; round++) {
      RandomFormat format = RandomFormat.any(random);
      String text = format.format().toString();
      String about = "seed " + seed + ", round " + round + ", " + text;
      KeyDisplay keys = display(text);
      byte[] key = format.format().encode(format.values(random, java.util.List.of()));
      assertThat(keys.parts(key)).describedAs(about).isPresent();
      byte[] prefix = Arrays.copyOf(key, random.nextInt(key.length + 1));
      Optional<String> first = keys.partsOfPrefix(prefix);
      if (first.isPresent()) {
        String shown = first.get().substring(0, first.get().length() - " …".length());
        assertThat(keys.parts(key).get()).describedAs(about).startsWith(shown);
        parts++;
      }
      byte[] other = new byte[random.nextInt(20)];
      random.nextBytes(other);
      byte[] damaged = random.nextBoolean() ? other : key.clone();
      if (damaged.length > 0) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      whole += keys.parts(damaged).isPresent() ? 1 : 0;
      keys.textOfBorder(damaged);
      keys.textOfPrefix(damaged);
      StringBuilder wrong = new StringBuilder(text);
      wrong.setCharAt(random.nextInt(wrong.length()), " ,()0xas".charAt(random.nextInt(8)));
      wrong.setLength(random.nextInt(wrong.length() + 1));
      display(wrong.toString()).text(key);
    }
    assertThat(whole).isPositive();
    assertThat(parts).isGreaterThan(ROUNDS / 20);
  }
}
