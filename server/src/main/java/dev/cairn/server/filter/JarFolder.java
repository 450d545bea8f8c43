package dev.cairn.server.filter;

import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A folder into which users put jars. Any number of threads. */
public sealed interface JarFolder {
  /** The suffix of jars. */
  String SUFFIX = ".jar";

  /** A jar; one that is written anew is another one. */
  record Jar(String name, long length, long modifiedMillis) {}

  /** Returns the jars in the folder; none if it does not exist. */
  List<Jar> jars() throws IOException;

  /** Copies a jar over the file {@code target}. */
  void copy(Jar jar, Path target) throws IOException;

  /** A folder of the local file system. */
  record Local(Path folder) implements JarFolder {
    @Override
    public List<Jar> jars() throws IOException {
      List<Jar> jars = new ArrayList<>();
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.sorted().toList()) {
            String name = file.getFileName().toString();
            if (name.endsWith(SUFFIX) && Files.isRegularFile(file)) {
              jars.add(new Jar(name, Files.size(file), Files.getLastModifiedTime(file).toMillis()));
            }
          }
        }
      }
      return jars;
    }

    @Override
    public void copy(Jar jar, Path target) throws IOException {
      Files.copy(folder.resolve(jar.name()), target, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public String toString() {
      return folder.toString();
    }
  }

  /** A folder below the data folder. */
  record Stored(Storage storage, String folder) implements JarFolder {
    private static final int CHUNK_BYTES = 1 << 16;

    @Override
    public List<Jar> jars() throws IOException {
      List<Jar> jars = new ArrayList<>();
      if (storage.exists(folder)) {
        for (Storage.FileInfo file : storage.list(folder)) {
          if (!file.directory() && file.name().endsWith(SUFFIX)) {
            jars.add(new Jar(file.name(), file.length(), file.modifiedMillis()));
          }
        }
      }
      return jars;
    }

    @Override
    public void copy(Jar jar, Path target) throws IOException {
      try (ReadableFile file = storage.open(Storage.join(folder, jar.name()));
          OutputStream out = Files.newOutputStream(target)) {
        byte[] chunk = new byte[CHUNK_BYTES];
        for (long at = 0; at < file.length(); at += chunk.length) {
          int length = (int) Math.min(chunk.length, file.length() - at);
          file.readFully(at, chunk, 0, length);
          out.write(chunk, 0, length);
        }
      }
    }

    @Override
    public String toString() {
      return "the data folder's " + folder;
    }
  }
}
