package dev.cairn.engine.layout;

import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/**
 * A file that may move to the archive while a reader looks for it. Between two of its places, the
 * file lies in the fence of a master ({@link FencedStorage}) for a moment.
 *
 * @param places the paths at which the file may lie
 */
public record MovingFile(List<String> places) {
  /** The directory of the fences. */
  public static final String FENCES = ".tmp";

  /** The most searches; each can miss a file that moves at the time. */
  private static final int SEARCHES = 4;

  /**
   * Opens a file.
   *
   * @param <T> the result
   */
  @FunctionalInterface
  public interface Opening<T> {
    /**
     * Opens the file at {@code path}.
     *
     * @throws NoSuchFileException if there is none
     */
    T open(String path) throws IOException;
  }

  /** Opens the file at its present path; returns empty if it is at none of the paths. */
  public <T> Optional<T> open(Storage storage, Opening<T> opening) throws IOException {
    Optional<T> opened = openAny(places, opening);
    for (int i = 1; i < SEARCHES && opened.isEmpty(); i++) {
      opened = openAny(FencedStorage.moving(storage, FENCES, places), opening);
      if (opened.isEmpty()) {
        opened = openAny(places, opening);
      }
    }
    return opened;
  }

  /**
   * Returns the length of the file, bytes.
   *
   * @param link the path of the link or reference that leads to the file, for errors
   * @throws NoSuchFileException if it is at none of the places
   */
  public long length(Storage storage, String link) throws IOException {
    return open(storage, path -> lengthOf(storage, path))
        .orElseThrow(
            () ->
                new NoSuchFileException(
                    link, null, "leads to none of " + String.join(", ", places)));
  }

  private static Long lengthOf(Storage storage, String path) throws IOException {
    try (ReadableFile file = storage.open(path)) {
      return file.length();
    }
  }

  private static <T> Optional<T> openAny(List<String> paths, Opening<T> opening)
      throws IOException {
    for (String path : paths) {
      try {
        return Optional.of(opening.open(path));
      } catch (NoSuchFileException e) {
        // It is at another path, or is being moved.
      }
    }
    return Optional.empty();
  }
}
