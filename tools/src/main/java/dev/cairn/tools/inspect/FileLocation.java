package dev.cairn.tools.inspect;

import dev.cairn.engine.layout.WalRootStorage;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.hadoop.HadoopStorage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * A file or a folder that a user named, to be read.
 *
 * @param storage the storage around it, closed with this location
 * @param path its path in the storage; the empty string if it is the storage's root
 * @param name its whole name, as Hadoop writes it: {@code file:/folder/file}
 */
public record FileLocation(Storage storage, String path, String name) implements Closeable {
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(/.*)");

  /**
   * Finds a file or a folder. The storage begins at the folder above it.
   *
   * @param text a local path, a {@code file:} URL, or the URL of another Hadoop file system
   * @param configFolder the folder that may have {@code core-site.xml}, {@code hdfs-site.xml}
   * @throws NoSuchFileException if there is nothing
   */
  public static FileLocation find(String text, Optional<Path> configFolder) throws IOException {
    return find(text, configFolder, Begin.ABOVE);
  }

  /** Finds a folder, and lets the storage begin there. */
  public static FileLocation folder(String text, Optional<Path> configFolder) throws IOException {
    return find(text, configFolder, Begin.THERE);
  }

  /**
   * Finds a data folder, as {@link #folder} does. Its storage includes the logs.
   *
   * @param logs the folder that holds the logs; empty if they lie in the data folder
   */
  public static FileLocation dataFolder(
      String text, Optional<String> logs, Optional<Path> configFolder) throws IOException {
    FileLocation data = folder(text, configFolder);
    if (logs.isEmpty()) {
      return data;
    }
    try {
      Storage both = new WalRootStorage(data.storage, folder(logs.get(), configFolder).storage);
      return new FileLocation(both, data.path, data.name);
    } catch (IOException e) {
      data.close();
      throw e;
    }
  }

  /** Finds a file or a folder, and lets the storage begin at the root of its file system. */
  public static FileLocation fromRoot(String text, Optional<Path> configFolder) throws IOException {
    return find(text, configFolder, Begin.AT_ROOT);
  }

  private static FileLocation find(String text, Optional<Path> configFolder, Begin begin)
      throws IOException {
    var url = SCHEME.matcher(text);
    if (!url.matches()) {
      return local(localPath(text), begin);
    }
    if (url.group(1).equalsIgnoreCase("file")) {
      return local(localPath(url.group(2).replaceFirst("^/+", "/")), begin);
    }
    return hadoop(text, configFolder, begin);
  }

  private static Path localPath(String text) throws IOException {
    try {
      return Path.of(text).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw new IOException("<" + text + "> is no path: " + e.getReason(), e);
    }
  }

  private static FileLocation local(Path path, Begin begin) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    Path base = path.getRoot();
    if (begin != Begin.AT_ROOT && path.getParent() != null) {
      base = begin == Begin.THERE ? path : path.getParent();
    }
    return new FileLocation(
        new LocalStorage(base), base.relativize(path).toString(), "file:" + path);
  }

  private static FileLocation hadoop(String text, Optional<Path> configFolder, Begin begin)
      throws IOException {
    Configuration settings = new Configuration();
    for (String name : new String[] {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"}) {
      configFolder
          .map(folder -> folder.resolve(name))
          .filter(Files::exists)
          .ifPresent(file -> settings.addResource(new org.apache.hadoop.fs.Path(file.toUri())));
    }
    org.apache.hadoop.fs.Path path;
    try {
      path = new org.apache.hadoop.fs.Path(text);
    } catch (IllegalArgumentException e) {
      throw new IOException("<" + text + "> is no path: " + e.getMessage(), e);
    }
    org.apache.hadoop.fs.Path base = path;
    if (begin == Begin.AT_ROOT) {
      base = new org.apache.hadoop.fs.Path(path.toUri().resolve("/"));
    } else if (begin == Begin.ABOVE && path.getParent() != null) {
      base = path.getParent();
    }
    String below = path.toUri().getPath().substring(base.toUri().getPath().length());
    FileLocation location =
        new FileLocation(
            HadoopStorage.open(base.toUri(), settings, Clock.SYSTEM),
            below.replaceFirst("^/", ""),
            path.toString());
    try {
      if (!location.storage().exists(location.path())) {
        throw new NoSuchFileException(text);
      }
      return location;
    } catch (IOException e) {
      location.close();
      throw e;
    }
  }

  /** Returns the whole name of another path of the storage. */
  public String nameOf(String other) {
    int base = name.length() - path.length();
    return path.isEmpty()
        ? name + (name.endsWith("/") ? "" : "/") + other
        : name.substring(0, base) + other;
  }

  /** Tells whether it is a folder. */
  public boolean isFolder() throws IOException {
    if (path.isEmpty()) {
      return true;
    }
    return storage.list("").stream().anyMatch(file -> file.path().equals(path) && file.directory());
  }

  /**
   * Returns an error that names the whole location: those of a storage know paths within it.
   *
   * @param explanation further facts, to be appended
   */
  public IOException failure(IOException cause, String explanation) {
    return new IOException(name + ": " + cause.getMessage() + explanation, cause);
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }

  /** The root of a storage, relative to the requested path. */
  private enum Begin {
    /** The folder above it. */
    ABOVE,
    /** The path itself, a folder. */
    THERE,
    /** The root of the file system. */
    AT_ROOT
  }
}
