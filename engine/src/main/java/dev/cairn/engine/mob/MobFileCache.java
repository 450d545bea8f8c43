package dev.cairn.engine.mob;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.format.DamageListener;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.layout.MovingFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The MOB files that a server has open, so that not every value costs the opening of a file. A file
 * is closed when it has left the cache and its last reader has released it. Thread-safe.
 */
public final class MobFileCache {
  private final Storage storage;
  private final BlockCache blocks;
  private final EngineListener listener;
  private final Cache<String, MobFile> open;

  /**
   * Creates a cache without files.
   *
   * @param listener receives damaged files
   */
  public MobFileCache(
      Storage storage,
      BlockCache blocks,
      Clock clock,
      MobSettings settings,
      EngineListener listener) {
    this.storage = storage;
    this.listener = listener;
    this.blocks = blocks;
    this.open =
        Caffeine.newBuilder()
            .maximumSize(settings.openFilesMax())
            .expireAfterAccess(Duration.ofMillis(settings.idleMillis()))
            .ticker(clock::nanoTime)
            .executor(Runnable::run)
            .removalListener((String path, MobFile file, RemovalCause cause) -> file.release())
            .build();
  }

  /**
   * Opens a file where it is in use, or in the archive. The caller releases it.
   *
   * @throws MissingValueException naming all places, if it is in none
   */
  MobFile open(MobDirectory directory, String name) throws IOException {
    String key = directory.file(name);
    MobFile known = open.getIfPresent(key);
    if (known != null && known.tryRetain()) {
      return known;
    }
    MobFile opened = openAny(directory, directory.locations(name));
    opened.tryRetain(); // for the cache, which releases it when it removes it
    open.put(key, opened);
    return opened;
  }

  /** Closes all files that nobody reads. */
  public void close() {
    open.invalidateAll();
    open.cleanUp();
  }

  private MobFile openAny(MobDirectory directory, List<String> locations) throws IOException {
    DamageListener damage =
        found ->
            listener.storeFileDamaged(
                directory.place().region(), found.path(), found.offset(), found.what());
    return new MovingFile(locations)
        .open(storage, path -> openFile(path, damage))
        .orElseThrow(
            () ->
                new MissingValueException(
                    "A cell's value lies in a MOB file that is in none of these places: "
                        + locations));
  }

  private MobFile openFile(String path, DamageListener damage) throws IOException {
    try {
      return new MobFile(HFileReader.open(storage, path, blocks, CellComparator.USER, damage));
    } catch (CorruptFileException e) {
      damage.damaged(e); // a read opens the file, so the read has found the damage
      throw e;
    }
  }
}
