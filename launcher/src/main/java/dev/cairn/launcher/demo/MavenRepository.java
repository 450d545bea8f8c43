package dev.cairn.launcher.demo;

import dev.cairn.launcher.output.LauncherException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A local Maven repository: {@code group/with/slashes/artifact/version/artifact-version.pom}, and
 * the artifact's other files beside it.
 */
final class MavenRepository implements PomSource {
  private static final Pattern SHA1 = Pattern.compile("\\s*([0-9a-fA-F]{40})\\b.*", Pattern.DOTALL);

  private final Path root;

  /**
   * Opens the repository.
   *
   * @throws LauncherException if there is none
   */
  MavenRepository(Path root) {
    if (!Files.isDirectory(root)) {
      throw new LauncherException(
          "there is no Maven repository at " + root + ": name one by --repository");
    }
    this.root = root;
  }

  @Override
  public List<Coordinates> artifacts() throws IOException {
    List<Coordinates> found = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.getFileName().toString().endsWith(".pom")) {
              coordinates(root.relativize(file)).ifPresent(found::add);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE; // gone, or not ours to read
          }
        });
    Collections.sort(found);
    return found;
  }

  /** Returns the coordinates in the path of a POM; empty if it is not in its place. */
  static Optional<Coordinates> coordinates(Path pom) {
    int count = pom.getNameCount();
    if (count < 4) {
      return Optional.empty();
    }
    String version = pom.getName(count - 2).toString();
    String artifact = pom.getName(count - 3).toString();
    if (!pom.getFileName().toString().equals(artifact + "-" + version + ".pom")) {
      return Optional.empty();
    }
    List<String> group = new ArrayList<>();
    pom.subpath(0, count - 3).forEach(part -> group.add(part.toString()));
    return Optional.of(new Coordinates(String.join(".", group), artifact, version));
  }

  /** Returns the path of the POM, whether or not it exists. */
  Path pom(Coordinates of) {
    return folder(of).resolve(of.artifact() + "-" + of.version() + ".pom");
  }

  @Override
  public byte[] readPom(Coordinates of) throws IOException, DamagedPomException {
    try (InputStream in = Files.newInputStream(pom(of))) {
      return PomSource.readAll(in);
    }
  }

  /** Returns the artifact's files, with their checksums: those in files, otherwise computed. */
  @Override
  public List<ArtifactFile> files(Coordinates of) throws IOException {
    String prefix = of.artifact() + "-" + of.version();
    try (Stream<Path> all = Files.list(folder(of))) {
      List<ArtifactFile> files = new ArrayList<>();
      for (Path file : all.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith(prefix) && !isAboutAnother(name) && Files.isRegularFile(file)) {
          files.add(file(file));
        }
      }
      return files;
    }
  }

  private Path folder(Coordinates of) {
    return root.resolve(of.group().replace('.', '/')).resolve(of.artifact()).resolve(of.version());
  }

  /** Checksums, signatures' checksums, and notes of failed downloads. */
  private static boolean isAboutAnother(String name) {
    return name.endsWith(".sha1")
        || name.endsWith(".md5")
        || name.endsWith(".sha256")
        || name.endsWith(".sha512")
        || name.endsWith(".lastUpdated");
  }

  private static ArtifactFile file(Path file) throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".sha1");
    if (Files.isRegularFile(beside)) {
      Matcher matcher = SHA1.matcher(Files.readString(beside, StandardCharsets.ISO_8859_1));
      if (matcher.matches()) {
        return new ArtifactFile(
            file.getFileName().toString(),
            Files.size(file),
            matcher.group(1).toLowerCase(Locale.ROOT));
      }
    }
    return ArtifactFile.of(file);
  }
}
