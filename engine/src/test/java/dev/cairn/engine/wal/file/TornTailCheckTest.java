package dev.cairn.engine.wal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Entries;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damage in files that carry no checksums, as HBase writes them. */
class TornTailCheckTest {
  private static final int ENTRIES = 5;
  private static final int BITS = 8;

  private final MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
  private byte[] file;
  private long lastEntry;

  @BeforeEach
  void writeFile() throws IOException {
    file = WalReaderTest.hbaseFile(WALProtos.WALHeader.newBuilder(), false);
    try (WalReader reader = open(file, file.length)) {
      while (reader.next()) {
        lastEntry = reader.entryOffset();
      }
    }
  }

  private WalReader open(byte[] bytes, int length) throws IOException {
    Entries.write(storage, "hbase", bytes, length);
    return WalReader.open(storage, "hbase");
  }

  private int count(byte[] bytes) throws IOException {
    int count = 0;
    try (WalReader reader = open(bytes, bytes.length)) {
      while (reader.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void aFlippedBitNeverPassesForTheEndWhileAnEntryFollows() throws IOException {
    for (int at = 0; at < lastEntry; at++) {
      for (int bit = 0; bit < BITS; bit++) {
        byte[] bytes = file.clone();
        bytes[at] ^= (byte) (1 << bit);
        try {
          assertThat(count(bytes)).as("byte %d, bit %d", at, bit).isEqualTo(ENTRIES);
        } catch (CorruptWalException e) {
          assertThat(e.path()).isEqualTo("hbase");
          assertThat(e.offset()).isLessThan(file.length);
        } catch (IOException refused) {
          assertThat(refused).hasMessageContaining("hbase");
          assertThat(at).as("in the header").isLessThan(200);
        }
      }
    }
  }

  @Test
  void aLengthBeyondTheFileIsDamageIfAnEntryFollows() throws IOException {
    byte[] bytes = file.clone();
    long first;
    try (WalReader reader = open(bytes, bytes.length)) {
      first = reader.position();
    }
    bytes[(int) first + 1] = 0x7F;
    assertThatThrownBy(() -> count(bytes))
        .isInstanceOf(CorruptWalException.class)
        .hasMessageContaining("shows that it was whole");
  }

  @Test
  void anEntryThatTurnsIntoZerosIsTheEnd() throws IOException {
    for (int whole = (int) lastEntry + 1; whole < file.length; whole++) {
      byte[] bytes = Arrays.copyOf(file, file.length + 100);
      Arrays.fill(bytes, whole, bytes.length, (byte) 0);
      try (WalReader reader = open(bytes, bytes.length)) {
        int count = 0;
        while (reader.next()) {
          count++;
        }
        // Zeros behind the last row, say, may make a whole entry: nobody can tell.
        assertThat(count).as("zeros from %d", whole).isBetween(ENTRIES - 1, ENTRIES);
        assertThat(reader.end().isTorn()).isTrue();
      }
    }
  }

  @Test
  void otherDamageAtTheEndIsNotTakenForTorn() throws IOException {
    byte[] bytes = file.clone();
    bytes[(int) lastEntry + 1] = 0x7E;
    assertThatThrownBy(() -> count(bytes))
        .isInstanceOf(CorruptWalException.class)
        .hasMessageContaining("the file goes on");
  }
}
