package dev.cairn.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarPomsTest {
  private static final String POM =
      "<project><groupId>g</groupId><artifactId>a</artifactId><version>1</version></project>";
  private static final String INHERITING =
      "<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>%s</version></parent>"
          + "<artifactId>b</artifactId></project>";

  @TempDir private Path folder;

  @Test
  void findsEachArtifactOnceWithItsVersion() throws Exception {
    jar(
        "one.jar",
        Map.of(
            "META-INF/maven/g/a/pom.xml",
            POM,
            "META-INF/maven/g/b/pom.xml",
            INHERITING.formatted("2"),
            "META-INF/maven/g/open/pom.xml",
            INHERITING.formatted("${revision}"),
            "META-INF/maven/g/damaged/pom.xml",
            "<project>",
            "other/pom.xml",
            POM));
    jar(
        "two.jar",
        Map.of(
            "META-INF/maven/g/a/pom.xml",
            POM + " ",
            "META-INF/maven/g/c/pom.xml",
            INHERITING.formatted("${revision}"),
            "META-INF/maven/g/c/pom.properties",
            "version=3\n"));
    jar("three.zip", Map.of("META-INF/maven/g/zip/pom.xml", POM));

    JarPoms poms = new JarPoms(folder);

    assertThat(poms.artifacts())
        .extracting(Coordinates::rowKey)
        .containsExactly("g:a:1", "g:b:2", "g:c:3");
    Coordinates shared = new Coordinates("g", "a", "1");
    assertThat(poms.readPom(shared)).asString(StandardCharsets.UTF_8).isEqualTo(POM);
    assertThat(poms.files(shared)).containsExactly(ArtifactFile.of(folder.resolve("one.jar")));
    assertThatThrownBy(() -> poms.readPom(new Coordinates("g", "p", "2")))
        .isInstanceOf(NoSuchFileException.class);
  }

  private void jar(String name, Map<String, String> entries) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(folder.resolve(name)))) {
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
