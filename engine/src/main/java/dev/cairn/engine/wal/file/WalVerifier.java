package dev.cairn.engine.wal.file;

import dev.cairn.engine.storage.Finding;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Reads a log file from front to back, which checks everything that can be checked: the checksums
 * of a file of ours, the form of every entry of HBase's. Nothing but an entry is in memory.
 */
public final class WalVerifier {
  private WalVerifier() {}

  /**
   * Checks a file. A torn end, as a crash leaves it, is no damage.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   * @throws IOException if reading fails, or the file cannot be read here
   */
  public static Result verify(Storage storage, String path) throws IOException {
    long entries = 0;
    try (WalReader reader = WalReader.open(storage, path)) {
      while (reader.next()) {
        entries++;
      }
      return new Result(List.of(), entries, Optional.of(reader.end()));
    } catch (CorruptWalException e) {
      return new Result(
          List.of(new Finding(e.path(), e.offset(), e.what())), entries, Optional.empty());
    }
  }

  /**
   * The result of a verification.
   *
   * @param findings the damage; nothing after it was checked
   * @param entries number of whole entries
   * @param end kind of the file's end; empty if it is damaged
   */
  public record Result(List<Finding> findings, long entries, Optional<WalEnd> end) {
    /** Takes a copy. */
    public Result {
      findings = List.copyOf(findings);
    }
  }
}
