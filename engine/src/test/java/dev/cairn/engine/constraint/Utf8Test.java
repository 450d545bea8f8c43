package dev.cairn.engine.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** UTF-8 is what Java's decoder accepts, and its characters are counted alike. */
class Utf8Test {
  /** Bytes that are not UTF-8, each for another reason. */
  static final byte[][] MALFORMED = {
    {(byte) 0x80},
    {(byte) 0xC3},
    {(byte) 0xC0, (byte) 0xAF},
    {(byte) 0xC1, (byte) 0xBF},
    {(byte) 0xE0, (byte) 0x80, (byte) 0xAF},
    {(byte) 0xE2, (byte) 0x82},
    {(byte) 0xE2, 'a', (byte) 0x82},
    {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
    {(byte) 0xED, (byte) 0xBF, (byte) 0xBF},
    {(byte) 0xF0, (byte) 0x80, (byte) 0x80, (byte) 0x80},
    {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
    {(byte) 0xF8, (byte) 0x88, (byte) 0x80, (byte) 0x80, (byte) 0x80},
    {(byte) 0xFF}
  };

  private static final byte[] PIECES = {
    'a',
    0,
    0x7F,
    (byte) 0x80,
    (byte) 0xBF,
    (byte) 0xC2,
    (byte) 0xE0,
    (byte) 0xA0,
    (byte) 0xED,
    (byte) 0xEF,
    (byte) 0xF0,
    (byte) 0x90,
    (byte) 0xF4,
    (byte) 0x8F,
    (byte) 0xC0,
    (byte) 0xF5
  };

  @Test
  void malformedBytesAreFound() {
    for (byte[] bytes : MALFORMED) {
      assertThat(Utf8.length(bytes, 0, bytes.length)).isEqualTo(Utf8.INVALID);
    }
    assertThat(Utf8.decode(new byte[] {(byte) 0xC0, (byte) 0xAF}, 0, 2)).isEqualTo(Utf8.INVALID);
  }

  /** ASCII is read in steps of eight bytes. */
  @Test
  void otherCharactersAreFoundAtEachPlaceAmongAscii() {
    for (int length = 1; length < 40; length++) {
      for (int at = 0; at < length; at++) {
        byte[] text = "x".repeat(length).getBytes(StandardCharsets.US_ASCII);
        text[at] = (byte) 0xFF;
        assertThat(Utf8.length(text, 0, length)).isEqualTo(Utf8.INVALID);
        byte[] longer =
            ("x".repeat(at) + "\u00e4" + "x".repeat(length)).getBytes(StandardCharsets.UTF_8);
        assertThat(Utf8.length(longer, 0, longer.length)).isEqualTo(at + 1 + length);
      }
    }
  }

  @Test
  void lengthsAreThoseOfJavasDecoder() {
    Random random = new Random(1);
    int valid = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = new byte[2 + random.nextInt(6)];
      for (int j = 0; j < bytes.length; j++) {
        bytes[j] = PIECES[random.nextInt(PIECES.length)];
      }
      int expected = expected(bytes, 1, bytes.length - 2);
      valid += expected >= 0 ? 1 : 0;
      assertThat(Utf8.length(bytes, 1, bytes.length - 2)).isEqualTo(expected);
    }
    assertThat(valid).isPositive();
  }

  private static int expected(byte[] bytes, int offset, int length) {
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes, offset, length))
              .toString();
      return text.codePointCount(0, text.length());
    } catch (CharacterCodingException e) {
      return Utf8.INVALID;
    }
  }
}
