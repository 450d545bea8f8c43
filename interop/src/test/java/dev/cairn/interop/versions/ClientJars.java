package dev.cairn.interop.versions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The jars of HBase's clients of several versions, which the build puts into folders. */
public final class ClientJars {
  private static final Path JARS = Path.of("target", "clients");

  private ClientJars() {}

  /** Returns a class path with the jars of folders below {@code target/clients}. */
  public static String classPath(List<String> folders) throws IOException {
    List<Path> all = new ArrayList<>();
    for (String folder : folders) {
      List<Path> found = list(JARS.resolve(folder));
      assertThat(found).as("jars that the build puts into " + JARS.resolve(folder)).isNotEmpty();
      all.addAll(found);
    }
    return all.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(Path::toAbsolutePath).sorted().toList();
    }
  }
}
