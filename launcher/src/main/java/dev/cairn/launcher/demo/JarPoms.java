package dev.cairn.launcher.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The POMs inside the jars of a folder: {@code META-INF/maven/GROUP/ARTIFACT/pom.xml}, with the
 * version in {@code pom.properties} beside it. A jar that bundles other artifacts has their POMs,
 * too.
 */
final class JarPoms implements PomSource {
  private static final Pattern POM = Pattern.compile("META-INF/maven/([^/]+)/([^/]+)/pom\\.xml");

  private final PomReader reader = new PomReader();
  private final Map<Coordinates, Place> places = new TreeMap<>();
  private final Map<Path, ArtifactFile> files = new HashMap<>();

  /** The place of a POM. If several jars have the POM, the first one wins. */
  private record Place(Path jar, String entry) {}

  /** Finds all POMs in the jars of {@code folder}; those without a version are left out. */
  JarPoms(Path folder) throws IOException {
    for (Path jar : jars(folder)) {
      try (ZipFile zip = new ZipFile(jar.toFile())) {
        for (ZipEntry entry : Collections.list(zip.entries())) {
          Matcher matcher = POM.matcher(entry.getName());
          if (matcher.matches()) {
            version(zip, entry)
                .map(version -> new Coordinates(matcher.group(1), matcher.group(2), version))
                .ifPresent(found -> places.putIfAbsent(found, new Place(jar, entry.getName())));
          }
        }
      }
    }
  }

  private static List<Path> jars(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.getFileName().toString().endsWith(".jar")).sorted().toList();
    }
  }

  private Optional<String> version(ZipFile zip, ZipEntry pom) throws IOException {
    ZipEntry properties = zip.getEntry(pom.getName().replace("pom.xml", "pom.properties"));
    if (properties != null) {
      Properties texts = new Properties();
      try (InputStream in = zip.getInputStream(properties)) {
        texts.load(in);
      }
      return Optional.ofNullable(texts.getProperty("version"));
    }
    try (InputStream in = zip.getInputStream(pom)) {
      Pom read = reader.read(PomSource.readAll(in));
      return read.version()
          .or(() -> read.parent().map(Coordinates::version))
          .filter(version -> !version.contains("${"));
    } catch (DamagedPomException e) {
      return Optional.empty();
    }
  }

  @Override
  public List<Coordinates> artifacts() {
    return new ArrayList<>(places.keySet());
  }

  @Override
  public byte[] readPom(Coordinates of) throws IOException, DamagedPomException {
    Place place = place(of);
    try (ZipFile zip = new ZipFile(place.jar().toFile());
        InputStream in = zip.getInputStream(zip.getEntry(place.entry()))) {
      return PomSource.readAll(in);
    }
  }

  /** Returns the jar with the artifact. */
  @Override
  public List<ArtifactFile> files(Coordinates of) throws IOException {
    Path jar = place(of).jar();
    ArtifactFile file = files.get(jar);
    if (file == null) {
      file = ArtifactFile.of(jar);
      files.put(jar, file);
    }
    return List.of(file);
  }

  private Place place(Coordinates of) throws NoSuchFileException {
    Place place = places.get(of);
    if (place == null) {
      throw new NoSuchFileException(of.rowKey());
    }
    return place;
  }
}
