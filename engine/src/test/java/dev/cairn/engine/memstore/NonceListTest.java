package dev.cairn.engine.memstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NonceListTest {
  private final NonceList nonces = new NonceList();

  @Test
  void aFileKeepsYoungNoncesOnceAndInTheirOrder() {
    nonces.add(1, 1, 50);
    nonces.add(1, 2, 100);
    nonces.add(2, 2, 101);
    nonces.add(1, 2, 102);
    assertThat(read(nonces.toBytes(100))).containsExactly("2/2 at 101", "1/2 at 102");
    assertThat(nonces.toBytes(103)).isEmpty();
  }

  @Test
  void aFileKeepsTheNewestIfThereAreTooMany() {
    for (int i = 0; i <= NonceList.FILE_MAX; i++) {
      nonces.add(1, i, i);
    }
    List<String> kept = read(nonces.toBytes(0));
    assertThat(kept).hasSize(NonceList.FILE_MAX);
    assertThat(kept.get(0)).isEqualTo("1/1 at 1");
  }

  @Test
  void damagedBytesAreRefused() {
    assertThatThrownBy(() -> NonceList.read(new byte[25], (group, number, millis) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("25");
  }

  private static List<String> read(byte[] bytes) {
    List<String> read = new ArrayList<>();
    NonceList.read(
        bytes, (group, number, millis) -> read.add(group + "/" + number + " at " + millis));
    return read;
  }
}
