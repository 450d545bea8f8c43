package dev.cairn.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.launcher.output.LauncherException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MavenRepositoryTest {
  /** SHA-1 of the empty file. */
  private static final String EMPTY = "da39a3ee5e6b4b0d3255bfef95601890afd80709";

  @TempDir private Path root;

  @Test
  void findsArtifactsWhereTheirPathsSayThatTheyAre() throws IOException {
    write("org/apache/hbase/hbase-client/2.6.4/hbase-client-2.6.4.pom", "");
    write("junit/junit/4.13/junit-4.13.pom", "");
    write("junit/junit/4.13/other-4.13.pom", "");
    write("stray.pom", "");

    assertThat(new MavenRepository(root).artifacts())
        .extracting(Coordinates::rowKey)
        .containsExactly("junit:junit:4.13", "org.apache.hbase:hbase-client:2.6.4");
  }

  @Test
  void listsFilesWithSizeAndChecksumAndLeavesOutWhatIsAboutOthers() throws IOException {
    write("g/a/1/a-1.pom", "");
    write("g/a/1/a-1.jar", "jar");
    write("g/a/1/a-1.jar.sha1", "0123456789ABCDEF0123456789abcdef01234567  a-1.jar\n");
    write("g/a/1/a-1.pom.lastUpdated", "x");
    write("g/a/1/_remote.repositories", "x");

    assertThat(new MavenRepository(root).files(new Coordinates("g", "a", "1")))
        .isEqualTo(
            List.of(
                new ArtifactFile("a-1.jar", 3, "0123456789abcdef0123456789abcdef01234567"),
                new ArtifactFile("a-1.pom", 0, EMPTY)));
  }

  @Test
  void saysWhereThereIsNone() {
    assertThatThrownBy(() -> new MavenRepository(root.resolve("none")))
        .isInstanceOf(LauncherException.class)
        .hasMessageContaining("none");
  }

  @Test
  void isWhereMavenIsToldToHaveIt() throws IOException {
    Properties properties = new Properties();
    properties.setProperty("user.home", root.toString());
    assertThat(RepositoryLocation.of(properties, Map.of()))
        .isEqualTo(root.resolve(".m2/repository"));

    write(
        ".m2/settings.xml",
        "<settings><localRepository>${user.home}/elsewhere</localRepository></settings>");
    assertThat(RepositoryLocation.of(properties, Map.of())).isEqualTo(root.resolve("elsewhere"));

    Map<String, String> environment = Map.of("MAVEN_OPTS", "-Xmx1g -Dmaven.repo.local=/r -X");
    assertThat(RepositoryLocation.of(properties, environment)).isEqualTo(Path.of("/r"));
  }

  @Test
  void sharesItsRowsEvenlyAmongRegions() {
    List<String> rows = List.of("a", "b", "c", "d", "e", "f", "g", "h");

    assertThat(Arrays.stream(Webtable.splits(4, rows)).map(Webtable::text))
        .containsExactly("c", "e", "g");
    assertThat(Webtable.splits(1, rows)).isEmpty();
    assertThat(Webtable.splits(4, List.of("a"))).isEmpty();
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
