package dev.cairn.engine.wal.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Entries;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests how many attributes an entry may have. */
class WalAttributesTest {
  private static final String PATH = "WALs/server/server.1";

  /** Returns attributes whose names have two bytes: half surrogates have no form in UTF-8. */
  private static Map<String, byte[]> many(int count) {
    Map<String, byte[]> many = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      many.put("" + (char) (0xDC00 + i / 1024) + (char) (0xDC00 + i % 1024), Bytes.EMPTY);
    }
    return many;
  }

  private static boolean isAllowed(int count) {
    try {
      WalAttributes.of(many(count));
      return true;
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("more than " + WalAttributes.BYTES_MAX);
      return false;
    }
  }

  @Test
  void theReaderTakesAsManyShortAttributesAsAnEntryMayHave() throws IOException {
    int allowed = 1;
    int refused = WalAttributes.BYTES_MAX / 2 + 1;
    while (refused - allowed > 1) {
      int middle = (allowed + refused) >>> 1;
      if (isAllowed(middle)) {
        allowed = middle;
      } else {
        refused = middle;
      }
    }
    assertThat(allowed).isGreaterThan(1000);
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    WalWriter writer =
        WalWriter.create(storage, PATH, new WalBuffer(), WalCompression.NONE, SyncLevel.SYNCED);
    WalAttributes most = WalAttributes.of(many(allowed));
    writer.append(
        new WalEntry(
            Entries.REGION, Entries.TABLE, 1, 1, new CellBuffer(), Nonce.NONE, List.of(), most));
    writer.finish();
    try (WalReader reader = WalReader.open(storage, PATH)) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.entry().attributes()).isEqualTo(most);
    }
  }
}
