package dev.cairn.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PomResolverTest {
  @TempDir private Path folder;

  @Test
  void takesVersionsFromPropertiesAndFromParents() throws Exception {
    write(
        new Coordinates("org.up", "up", "7"),
        """
        <project><groupId>org.up</groupId><artifactId>up</artifactId><version>7</version>
          <properties><lib.version>2.1</lib.version><other.version>old</other.version></properties>
          <dependencyManagement><dependencies>
            <dependency><groupId>org.lib</groupId><artifactId>lib</artifactId><version>${lib.version}</version></dependency>
          </dependencies></dependencyManagement>
        </project>
        """);
    Coordinates self = new Coordinates("org.up", "self", "8");
    Pom pom =
        write(
            self,
            """
            <project>
              <parent><groupId>org.up</groupId><artifactId>up</artifactId><version>7</version></parent>
              <artifactId>self</artifactId><version>8</version>
              <properties><other.version>new</other.version></properties>
              <dependencies>
                <dependency><groupId>org.lib</groupId><artifactId>lib</artifactId></dependency>
                <dependency><groupId>${project.groupId}</groupId><artifactId>twin</artifactId>
                  <version>${project.version}</version><scope>test</scope></dependency>
                <dependency><groupId>o</groupId><artifactId>o</artifactId><version>${other.version}</version></dependency>
                <dependency><groupId>r</groupId><artifactId>range</artifactId><version>[1,2)</version></dependency>
                <dependency><groupId>u</groupId><artifactId>unknown</artifactId><version>${nobody}</version></dependency>
              </dependencies>
            </project>
            """);

    assertThat(new PomResolver(new MavenRepository(folder), new PomReader()).references(self, pom))
        .isEqualTo(
            List.of(
                new Reference("org.up", "up", Optional.of("7"), "parent"),
                new Reference("org.lib", "lib", Optional.of("2.1"), "compile"),
                new Reference("org.up", "twin", Optional.of("8"), "test"),
                new Reference("o", "o", Optional.of("new"), "compile"),
                new Reference("r", "range", Optional.empty(), "compile"),
                new Reference("u", "unknown", Optional.empty(), "compile")));
  }

  @Test
  void endsWhereParentsOrPropertiesGoInCircles() throws Exception {
    Coordinates self = new Coordinates("g", "a", "1");
    Pom pom =
        write(
            self,
            """
            <project>
              <parent><groupId>g</groupId><artifactId>a</artifactId><version>1</version></parent>
              <artifactId>a</artifactId>
              <properties><x>${y}</x><y>${x}</y></properties>
              <dependencies>
                <dependency><groupId>o</groupId><artifactId>o</artifactId><version>${x}</version></dependency>
              </dependencies>
            </project>
            """);

    assertThat(new PomResolver(new MavenRepository(folder), new PomReader()).references(self, pom))
        .extracting(Reference::rowKey)
        .containsExactly("g:a:1", "o:o");
  }

  private Pom write(Coordinates of, String text) throws IOException, DamagedPomException {
    Path file = new MavenRepository(folder).pom(of);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return new PomReader().read(Files.readAllBytes(file));
  }
}
