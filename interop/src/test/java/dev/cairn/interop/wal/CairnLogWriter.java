package dev.cairn.interop.wal;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.nio.file.Path;

/** The program of a {@link LogWriterProcess} that writes Cairn's log. */
final class CairnLogWriter {
  private static final int ROLL_SIZE = 256 << 10;

  private CairnLogWriter() {}

  /** Writes until it is killed. */
  public static void main(String[] arguments) throws IOException {
    LocalStorage storage = new LocalStorage(Path.of(arguments[0]));
    WalConfig config =
        new WalConfig(
                "WALs/" + WalKillTest.SERVER,
                "oldWALs",
                WalKillTest.PREFIX,
                SyncLevel.FLUSHED,
                ROLL_SIZE,
                32)
            .withCompression(LogWriterProcess.compression(arguments));
    GroupCommitWal wal =
        GroupCommitWal.open(storage, config, Clock.SYSTEM, Thread::new, WalListener.NONE);
    LogEntries entries = WalKillTest.entries(Long.parseLong(arguments[1]));
    while (true) {
      WalEntry entry = entries.next();
      wal.sync(wal.append(entry));
      LogWriterProcess.acknowledge(entry.sequence());
    }
  }
}
