package dev.cairn.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.keys.hash.HashFunction;
import dev.cairn.keys.type.KeyMismatchException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The text form, the builder, and the bytes of a few keys. */
class KeyFormatTest {
  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a string, b long                        | 'x', 1   | 7800 8000000000000001",
        "a string, b long desc                   | 'x', 1   | 7800 7ffffffffffffffe",
        "a string desc                           | 'x'      | 87ff",
        "a string                                | 'x'      | 78",
        "a string(3), b string                   | 'x', 'y' | 780000 79",
        "a string(escaped)                       | 'x'      | 780000",
        "a bits(3), b bits(5)                    | 5, 1     | a1",
        "a bits(3) desc, b bits(5)               | 5, 1     | 41",
        "a uid(3), b ubyte                       | 258, 255 | 000102 ff",
        "literal(0x7f), a date                   | 1970-01-02 | 7f 80000001",
        "a seconds(hour)                         | 1970-01-01T01:59:59Z | 00000e10",
        "a reverse_timestamp                     | 1970-01-01T00:00:00.001Z | 7ffffffffffffffe",
        "a millis                                | 1970-01-01T00:00:00.001Z | 0000000000000001",
        "a reversed_domain, b boolean            | 'www.example.com', true | "
            + "636f6d2e6578616d706c652e777777 00 01",
        "a reversed_digits(6)                    | 1234     | 343332313030",
        "a decimal                               | 12.34    | 03 82 0d 23 00",
        "a decimal                               | -12.34   | 01 7d f2 dc ff",
        "a hash(md5)                             | 'foo0001' | 95f18cdafa9f1a4a9a1e5bd6d2d6f9a4",
        "salt(10, modulo) of t, t millis         | 1970-01-01T00:00:00.123Z | 03 000000000000007b",
      })
  void writesTheseBytes(String text, String values, String bytes) throws Exception {
    KeyFormat format = KeyFormat.parse(text);
    StringBuilder key = new StringBuilder();
    String[] split = values.split(", ");
    for (int i = 0; i < split.length; i++) {
      String value = split[i].replace('\'', '"');
      key.append(format.valueParts().get(i).name()).append('=').append(value).append(' ');
    }
    String expected = bytes.replace(" ", "");
    if (text.contains("md5")) {
      byte[] hashed = split[0].replace("'", "").getBytes(StandardCharsets.UTF_8);
      expected = hex(java.security.MessageDigest.getInstance("MD5").digest(hashed));
    }
    assertThat(hex(format.parseKey(key.toString()))).isEqualTo(expected);
  }

  @Test
  void theBuilderDeclaresTheSameFormat() {
    KeyFormat format =
        KeyFormat.builder()
            .salt(16)
            .hash(HashFunction.MURMUR3, 2, "user")
            .literal(new byte[] {1})
            .ascending("user", "string(20)")
            .descending("time", "timestamp(hour)")
            .build();
    String text =
        "salt(16), hash(murmur3, 2) of user, literal(0x01), user string(20),"
            + " time timestamp(hour) desc";
    assertThat(format).hasToString(text).isEqualTo(KeyFormat.parse(text));
    assertThat(format).hasSameHashCodeAs(KeyFormat.parse(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a lnog                     | 2  | part 1 (a): unknown type lnog; the types are bits,",
        "a string, b string(        | 19 | part 2 (b): the parenthesis after string is not closed",
        "a string,                  | 9  | part 2: a part is missing",
        "a string b long            | 9  | part 1 (a): \"b\" instead of a comma",
        "a string, a long           | 10 | part 2 (a long): an earlier part has this name",
        "a bytes, b long            | 0  | part 1 (a bytes): bytes has no end",
        "a bytes desc               | 0  | part 1 (a bytes desc): bytes has no end",
        "a bits(3), b long          | 0  | part 1 (a bits(3)): neighbouring bits fill whole bytes; "
            + "add a part of bits(5)",
        "salt(0), a long            | 0  | a salt has from 1 to 65536 buckets",
        "a long, salt(3)            | 8  | a salt is the first part; move it",
        "salt(3) of b, a long       | 0  | no later part is named \"b\"",
        "salt(3, modulo), a long    | 0  | salt by modulo is of one part",
        "hash(sha9, 4), a long      | 0  | unknown hash function sha9; there are murmur3,",
        "hash(md5, 17), a long      | 0  | a hash of md5 has 1 to 16 bytes",
        "salt long                  | 0  | salt is a reserved word",
        "salt(3)                    | 0  | the format has no part with a value",
        "a string(0)                | 2  | the width is from 1 to",
        "a seconds(millisecond)     | 2  | round to second, minute, hour or day",
        "a timestamp(week)          | 2  | rounds to millisecond, second, minute, hour or day",
        "5 long                     | 0  | \"5\" is not a name",
        "a                          | 1  | a type is missing",
        "''                         | 0  | part 1: a part is missing",
      })
  void refusesATextAndSaysWhereAndWhy(String text, int position, String reason) {
    assertThatThrownBy(() -> KeyFormat.parse(text))
        .isInstanceOfSatisfying(
            FormatException.class,
            e -> {
              assertThat(e).hasMessageContaining(reason);
              if (!reason.startsWith("salt is") && !reason.startsWith("a salt has")) {
                assertThat(e.getMessage()).startsWith("position ");
              }
            });
    FormatException refused =
        org.junit.jupiter.api.Assertions.assertThrows(
            FormatException.class, () -> KeyFormat.parse(text));
    assertThat(refused.position()).describedAs(refused.getMessage()).isBetween(position, 27);
  }

  @Test
  void refusesValuesThatAPartDoesNotHave() {
    KeyFormat format = KeyFormat.parse("a string, b int");
    assertThatThrownBy(() -> format.encode("x\0", 1))
        .hasMessageContaining("part a")
        .hasMessageContaining("string(escaped)");
    assertThatThrownBy(() -> format.encode("x", 1L << 31))
        .hasMessageContaining("part b: int has no value 2147483648");
    assertThatThrownBy(() -> format.encode("\uD800", 1)).hasMessageContaining("surrogate");
    assertThatThrownBy(() -> format.encode(1, 1))
        .hasMessageContaining("string has no value 1 of Integer");
    assertThatThrownBy(() -> format.encode("x")).hasMessageContaining("1 values for 2 named parts");
    assertThatThrownBy(() -> KeyFormat.parse("a int, b phoenix_varchar").encode(1, ""))
        .hasMessageContaining("part b: no null at the end of a key, which Phoenix cuts off");
    assertThatThrownBy(() -> format.encode(null, 1))
        .hasMessageContaining("string has no value null");
  }

  @Test
  void printsForeignKeysEscaped() {
    KeyFormat format = KeyFormat.parse("salt(16), host string, time timestamp desc");
    byte[] key = format.encode("web 1", Instant.parse("2026-01-02T03:04:05Z"));
    assertThat(format.print(key)).isEqualTo("host=\"web 1\" time=2026-01-02T03:04:05Z");
    byte[] wrongSalt = key.clone();
    wrongSalt[0] ^= 1;
    assertThatThrownBy(() -> format.decode(wrongSalt))
        .isInstanceOf(KeyMismatchException.class)
        .hasMessageContaining("byte 0: another salt(16) than computed");
    assertThat(format.print(new byte[] {0, 'a', ' ', -1, '\\'})).isEqualTo("\\x00a \\xFF\\x5C");
    assertThatThrownBy(() -> format.decode(new byte[] {0, 'a', 'b'}))
        .hasMessage("part host string, byte 1: the terminator is missing");
    assertThatThrownBy(() -> KeyFormat.parse("a int").decode(new byte[5]))
        .hasMessage("byte 4: bytes follow the last part");
  }

  @Test
  void printsAllForeignBytesAsHBaseDoes() {
    KeyFormat format = KeyFormat.parse("a uuid, b uuid, c uuid");
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    assertThat(format.print(all)).isEqualTo(Bytes.toStringBinary(all));
  }

  @Test
  void splitsByBucketsAndHashes() {
    assertThat(splits("salt(16), a string", 4)).containsExactly("04", "08", "0c");
    assertThat(splits("salt(3), a string", 2)).containsExactly("02");
    assertThat(splits("salt(300), a string", 3)).containsExactly("0064", "00c8");
    assertThat(splits("hash(murmur3, 2), a string", 4)).containsExactly("40", "80", "c0");
    assertThat(splits("literal(0x01), a hash(md5)", 3))
        .containsExactly("015555555555555556", "01aaaaaaaaaaaaaaab");
    assertThat(splits("salt(2), hash(md5, 1), a string", 4)).containsExactly("0080", "01", "0180");
    assertThat(splits("a uuid", 2)).containsExactly("80");
    assertThat(splits("a string", 1)).isEmpty();
    assertThatThrownBy(() -> splits("a string", 2)).hasMessageContaining("give a sample of keys");
    assertThatThrownBy(() -> splits("salt(16), a string", 17))
        .hasMessageContaining("keys have 16 buckets");
  }

  private static List<String> splits(String format, int regions) {
    return java.util.Arrays.stream(KeyFormat.parse(format).splits(regions))
        .map(KeyFormatTest::hex)
        .toList();
  }

  @Test
  void splitsASampleIntoEqualParts() {
    KeyFormat format = KeyFormat.parse("a string");
    List<byte[]> sample =
        List.of("a", "b", "b", "c", "d", "e").stream().map(format::encode).toList();
    assertThat(format.splits(3, sample)).isDeepEqualTo(new byte[][] {{'b'}, {'d'}});
    assertThat(format.splits(3, List.of())).isEmpty();
  }

  @Test
  void anIntervalOfRoundedTimesIncludesTheLastBegunUnit() {
    KeyFormat format = KeyFormat.parse("m uid(3), base seconds(hour)");
    Instant last = Instant.parse("2026-01-02T12:59:00Z");
    List<KeyRange> ranges =
        format.range(
            List.of(7),
            Instant.parse("2026-01-02T10:30:00Z"),
            Instant.parse("2026-01-02T12:30:00Z"));
    assertThat(ranges).hasSize(1);
    assertThat(ranges.get(0).contains(format.encode(7, last))).isTrue();
    assertThat(ranges.get(0).contains(format.encode(7, last.plusSeconds(3600)))).isFalse();
    assertThat(ranges.get(0).contains(format.encode(7, last.minusSeconds(3 * 3600)))).isFalse();
  }

  @Test
  void aRangeOfScatteredKeysIsRefused() {
    KeyFormat format = KeyFormat.parse("hash(md5, 4) of (user, day), user string, day date");
    assertThatThrownBy(() -> format.range("bob")).hasMessageContaining("scattered");
    assertThat(format.range()).hasSize(1);
    KeyFormat known = KeyFormat.parse("hash(md5, 4) of user, user string, day date");
    assertThat(known.range("bob")).hasSize(1);
    KeyFormat salted = KeyFormat.parse("salt(16), user string, day date");
    assertThat(salted.range("bob")).hasSize(16);
    assertThat(KeyFormat.parse("salt(16) of user, user string, day date").range("bob")).hasSize(1);
  }
}
