package dev.cairn.engine.storage;

import dev.cairn.engine.storage.Storage.BlockLocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A view of a storage in which some directories lie elsewhere. Lets code use the final paths of
 * directories that are made elsewhere and moved there later. Thread-safe. Closing does nothing: the
 * storage is not owned.
 */
public final class RedirectedStorage extends ForwardingStorage {
  private final Storage storage;
  private final Map<String, String> places;

  /**
   * Creates a view of {@code storage}.
   *
   * @param places the real path of each redirected directory, by its path in this view; no path is
   *     below another
   */
  public RedirectedStorage(Storage storage, Map<String, String> places) {
    super(storage);
    this.storage = storage;
    this.places = Map.copyOf(places);
  }

  @Override
  public AppendFile create(String path) throws IOException {
    return super.create(real(path));
  }

  @Override
  public AppendFile createFenced(String path) throws IOException {
    return super.createFenced(real(path));
  }

  @Override
  public AppendFile createIn(String path) throws IOException {
    return super.createIn(real(path));
  }

  @Override
  public long seal(String path) throws IOException {
    return super.seal(real(path));
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    return super.open(real(path));
  }

  @Override
  public List<FileInfo> list(String directory) throws IOException {
    String real = real(directory);
    List<FileInfo> found = super.list(real);
    if (real.equals(directory)) {
      return found;
    }
    return found.stream()
        .map(
            file ->
                new FileInfo(
                    Storage.join(directory, file.name()),
                    file.directory(),
                    file.length(),
                    file.modifiedMillis()))
        .toList();
  }

  @Override
  public boolean exists(String path) throws IOException {
    return super.exists(real(path));
  }

  @Override
  public void syncDirectory(String path) throws IOException {
    super.syncDirectory(real(path));
  }

  @Override
  public void syncContent(String path) throws IOException {
    super.syncContent(real(path));
  }

  @Override
  public void createDirectories(String path) throws IOException {
    super.createDirectories(real(path));
  }

  @Override
  public void createDirectoryIn(String path) throws IOException {
    super.createDirectoryIn(real(path));
  }

  @Override
  public void createScratch(String path) throws IOException {
    super.createScratch(real(path));
  }

  @Override
  public void createAll(List<SmallFile> files) throws IOException {
    List<SmallFile> real = new ArrayList<>(files.size());
    files.forEach(file -> real.add(new SmallFile(real(file.path()), file.content())));
    storage.createAll(real);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    super.rename(real(from), real(to));
  }

  @Override
  public void moveIn(String from, String to) throws IOException {
    super.moveIn(real(from), real(to));
  }

  @Override
  public void replace(String from, String to) throws IOException {
    super.replace(real(from), real(to));
  }

  @Override
  public boolean delete(String path) throws IOException {
    return super.delete(real(path));
  }

  @Override
  public boolean discard(String path) throws IOException {
    return super.discard(real(path));
  }

  @Override
  public String url(String path) {
    return super.url(real(path));
  }

  @Override
  public List<BlockLocation> blockLocations(String path) throws IOException {
    return super.blockLocations(real(path));
  }

  @Override
  public void close() {}

  private String real(String path) {
    for (Map.Entry<String, String> place : places.entrySet()) {
      String directory = place.getKey();
      if (path.startsWith(directory)
          && (path.length() == directory.length() || path.charAt(directory.length()) == '/')) {
        return place.getValue() + path.substring(directory.length());
      }
    }
    return path;
  }
}
