package dev.cairn.engine.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ReferenceTest {
  @Test
  void whatIsWrittenIsRead() throws IOException {
    Reference top = Reference.fromFile("f", Reference.top(Bytes.utf8("row")).toFile());
    assertThat(top.top()).isTrue();
    assertThat(top.splitKey().row()).isEqualTo(Bytes.utf8("row"));
    assertThat(top.splitKey().sequence()).isEqualTo(Long.MAX_VALUE);
    assertThat(Reference.fromFile("f", Reference.bottom(Bytes.EMPTY).toFile()).top()).isFalse();
  }

  @Test
  void theOldFormIsRead() throws IOException {
    byte[] key = keyOf(Reference.top(new byte[300]));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeBoolean(true);
    out.writeByte(-112 - 2); // two bytes of length follow
    out.writeShort(key.length);
    out.write(key);
    Reference old = Reference.fromFile("f", bytes.toByteArray());
    assertThat(old.top()).isTrue();
    assertThat(old.splitKey().row()).isEqualTo(new byte[300]);
  }

  @Test
  void everyFlippedBitIsNoticedOrHarmless() throws IOException {
    byte[] good = Reference.top(Bytes.utf8("some row")).toFile();
    for (int bit = 0; bit < 8 * good.length; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        Reference read = Reference.fromFile("the/file", bad);
        assertThat(read.top()).isTrue();
        assertThat(read.splitKey().row()).isEqualTo(Bytes.utf8("some row"));
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("the/file");
      }
    }
  }

  @Test
  void aTornFileIsNoticedUnlessAllButTheChecksumIsThere() {
    byte[] good = Reference.top(Bytes.utf8("some row")).toFile();
    for (int length = 0; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      if (length != good.length - 6) {
        assertThatThrownBy(() -> Reference.fromFile("the/file", cut))
            .as("%d bytes", length)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("the/file");
      }
    }
  }

  private static byte[] keyOf(Reference reference) {
    int from = reference.splitKey().keyOffset();
    return Arrays.copyOfRange(
        reference.splitKey().bytes(), from, from + reference.splitKey().keyLength());
  }
}
