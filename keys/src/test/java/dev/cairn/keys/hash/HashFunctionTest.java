package dev.cairn.keys.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hashes are those of other libraries. */
class HashFunctionTest {
  @ParameterizedTest
  @CsvSource({
    "murmur3, '', 00000000",
    "murmur3, hello, 248bfa47",
    "md5, abc, 900150983cd24fb0d6963f7d28e17f72",
    "xxhash32, '', 02cc5d05",
    "xxhash32, abc, 32d153ff",
    "xxhash64, '', ef46db3751d8e999",
    "xxhash64, abc, 44bc2cf5ad770999",
    "murmur3_x64_128, hello, cbd8a7b341bd9b025b1e906a48ae1d19",
  })
  void knownValues(String function, String text, String hash) {
    HashFunction named = HashFunction.named(function);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(HexFormat.of().formatHex(named.hash(bytes, named.width()))).isEqualTo(hash);
  }

  /** SMHasher's number for an implementation: a hash of hashes of 0 to 255 bytes. */
  private static int verification(int width, BiFunction<byte[], Integer, byte[]> hash) {
    ByteArrayOutputStream hashes = new ByteArrayOutputStream();
    byte[] key = new byte[256];
    for (int length = 0; length < 256; length++) {
      key[length] = (byte) length;
      hashes.writeBytes(hash.apply(java.util.Arrays.copyOf(key, length), 256 - length));
    }
    assertThat(hashes.size()).isEqualTo(256 * width);
    byte[] last = hash.apply(hashes.toByteArray(), 0);
    return ByteBuffer.wrap(last).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }

  private static byte[] little(int... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int number : numbers) {
      bytes.putInt(number);
    }
    return bytes.array();
  }

  private static byte[] little(long... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long number : numbers) {
      bytes.putLong(number);
    }
    return bytes.array();
  }

  @Test
  void theNumbersOfSmhasher() {
    assertThat(verification(4, (key, seed) -> little(Murmur3.x86Of32(key, seed))))
        .isEqualTo(0xB0F57EE3);
    assertThat(verification(16, (key, seed) -> little(Murmur3.x86Of128(key, seed))))
        .isEqualTo(0xB3ECE62A);
    assertThat(verification(16, (key, seed) -> little(Murmur3.x64Of128(key, seed))))
        .isEqualTo(0x6384BA69);
    assertThat(verification(4, (key, seed) -> little(XxHash.of32(key, seed))))
        .isEqualTo(0xBA88B743);
    assertThat(verification(8, (key, seed) -> little(XxHash.of64(key, seed))))
        .isEqualTo(0x024B7CF4);
  }
}
