package dev.cairn.engine.wal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Compressed values; logs of HBase's have no checksum over them and their lengths. */
class ValueCodecTest {
  private static final int SIZE = 150_000;

  @ParameterizedTest
  @EnumSource(WalValueCompression.class)
  void whatIsCompressedComesBack(WalValueCompression compression) throws WalDamage {
    byte[] value = value(compression);
    WalBuffer packed = packed(compression, value);
    WalBuffer found = new WalBuffer();
    found.putInt(7);
    compression.newCodec().decompress(packed.bytes(), 0, packed.size(), SIZE, found);
    assertThat(Arrays.copyOfRange(found.bytes(), 4, found.size())).isEqualTo(value);
  }

  @ParameterizedTest
  @EnumSource(value = WalValueCompression.class, mode = Mode.EXCLUDE, names = "NONE")
  void aDamagedLengthCostsNoMemory(WalValueCompression compression) {
    WalBuffer packed = packed(compression, value(compression));
    for (int length : new int[] {SIZE - 1, SIZE + 1, 1 << 23, 1 << 28, Integer.MAX_VALUE}) {
      WalBuffer found = new WalBuffer();
      assertThatThrownBy(
              () ->
                  compression
                      .newCodec()
                      .decompress(packed.bytes(), 0, packed.size(), length, found))
          .as("%s, length %d", compression, length)
          .isInstanceOf(WalDamage.class);
      assertThat(found.bytes().length).isLessThan(4 * SIZE);
    }
  }

  private static WalBuffer packed(WalValueCompression compression, byte[] value) {
    WalBuffer packed = new WalBuffer();
    compression.newCodec().compress(value, 0, value.length, packed);
    return packed;
  }

  /** Bytes of which about half can be saved. */
  private static byte[] value(WalValueCompression compression) {
    byte[] value = new byte[SIZE];
    Random random = new Random(compression.ordinal());
    for (int i = 0; i < SIZE; i++) {
      value[i] = (byte) random.nextInt(16);
    }
    return value;
  }
}
