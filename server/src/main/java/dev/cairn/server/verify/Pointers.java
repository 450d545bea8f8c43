package dev.cairn.server.verify;

import dev.cairn.engine.layout.MovingFile;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.storage.Finding;
import dev.cairn.engine.storage.Storage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** Checks the files that lead to others: references and links. */
public final class Pointers {
  /** Places besides {@code data} that hold the same tree. */
  private static final List<String> OTHER_PLACES = List.of("archive", ".tmp", "mobdir");

  private final Storage storage;

  /** Creates a check of the files in {@code storage}. */
  public Pointers(Storage storage) {
    this.storage = storage;
  }

  /**
   * Checks that the target of the file at {@code path} exists.
   *
   * @return the problem, at most one finding
   */
  public List<Finding> verify(String path) throws IOException {
    StoreFileName name = StoreFileName.parse(Storage.name(path));
    if (name instanceof StoreFileName.Half) {
      try {
        Reference.fromFile(path, storage.readAll(path));
      } catch (NoSuchFileException | FileNotFoundException e) {
        throw e;
      } catch (IOException e) {
        String what = e.getMessage();
        // The finding names the path already.
        return List.of(
            new Finding(
                path, 0, what.startsWith(path) ? what.substring(path.length()).strip() : what));
      }
    }
    List<String> targets = directory(path).targets(name);
    return new MovingFile(targets).open(storage, this::check).isPresent()
        ? List.of()
        : List.of(new Finding(path, 0, "it refers to a file that is in none of " + targets));
  }

  /** Returns the store's place below {@code data}, wherever the file is. */
  private static StoreDirectory directory(String path) {
    StoreDirectory found = StoreDirectory.parse(path.substring(0, path.lastIndexOf('/')));
    String data = found.dataDirectory();
    for (String place : OTHER_PLACES) {
      if (data.equals(place + "/data") || data.endsWith("/" + place + "/data")) {
        String root = data.substring(0, data.length() - place.length() - "/data".length());
        return new StoreDirectory(root + "data", found.table(), found.region(), found.family());
      }
    }
    return found;
  }

  private String check(String path) throws IOException {
    if (!storage.exists(path)) {
      throw new NoSuchFileException(path);
    }
    return path;
  }
}
