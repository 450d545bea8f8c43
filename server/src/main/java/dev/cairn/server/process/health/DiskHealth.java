package dev.cairn.server.process.health;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.StorageSpace;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.health.HealthStatus;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/**
 * Checks the free space on the disk of the data folder.
 *
 * @param storage the data folder
 * @param roomMin the free bytes below which the check warns
 */
public record DiskHealth(Storage storage, long roomMin) implements HealthCheck {
  public static final ConfigKey<Long> ROOM_MIN =
      ConfigKey.number(
          "cairn.health.disk.room.min",
          1L << 30,
          0,
          Long.MAX_VALUE,
          "Minimum free space on the disk of the data folder, in bytes; below it, status and"
              + " /health warn.");

  /** The free bytes below which the disk is considered full. */
  private static final long FULL_BYTES = 1 << 20;

  /**
   * Checks that the disk has enough space for a start, at least for the logs.
   *
   * @throws IOException if the disk is full
   */
  public static void checkRoom(Storage storage) throws IOException {
    HealthResult result = new DiskHealth(storage, 0).check();
    if (result.status() == HealthStatus.FAIL) {
      throw new IOException(result.message());
    }
  }

  @Override
  public String name() {
    return "disk";
  }

  @Override
  public HealthResult check() throws IOException {
    Optional<StorageSpace> space = storage.space();
    if (space.isEmpty()) {
      return HealthResult.ok("The file system does not report its free space.");
    }
    long usable = space.get().usableBytes();
    String room =
        size(usable) + " of " + size(space.get().totalBytes()) + " are free for the data folder";
    boolean counted = space.get().totalBytes() > 0; // some network file systems report 0
    if (counted && usable < FULL_BYTES) {
      return HealthResult.fail(
          "The disk is full: "
              + room
              + ". Writes are refused until there is space; remove files that do not belong"
              + " to Cairn");
    }
    return counted && usable < roomMin
        ? HealthResult.warn(
            "The disk is almost full: " + room + ". Free some space (" + ROOM_MIN.name() + ").")
        : HealthResult.ok(room + ".");
  }

  private static String size(long bytes) {
    return bytes < 1 << 20
        ? String.format(Locale.ROOT, "%.1f KiB", bytes / 1024.0)
        : bytes < 1 << 30
            ? String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20))
            : String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
  }
}
