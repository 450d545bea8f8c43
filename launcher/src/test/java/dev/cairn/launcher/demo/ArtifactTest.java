package dev.cairn.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.demo.Artifact.ArtifactFile;
import dev.cairn.launcher.demo.Artifact.Reference;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArtifactTest {
  @Test
  void theDataIsInTheOrderOfItsKeysAndComplete() throws IOException {
    List<Artifact> all = Artifact.all();
    assertThat(all).hasSizeGreaterThan(1000);
    assertThat(all.stream().map(Artifact::key)).isSorted().doesNotHaveDuplicates();
    for (Artifact artifact : all) {
      assertThat(artifact.key().split(":")).as(artifact.key()).hasSize(3);
      for (ArtifactFile file : artifact.files()) {
        assertThat(file.sha1()).as(file.name()).matches("[0-9a-f]{40}");
      }
      for (Reference reference : artifact.references()) {
        assertThat(reference.key().split(":")).as(artifact.key()).hasSizeBetween(2, 3);
      }
    }
  }

  @Test
  void aPomNamesWhatTheArtifactRefersTo() {
    Artifact artifact =
        new Artifact(
            "g:a:1",
            List.of(),
            List.of(new Reference("parent", "g:p:2"), new Reference("test", "g:b")));
    assertThat(artifact.pom())
        .isEqualTo(
            """
            <project>
              <groupId>g</groupId>
              <artifactId>a</artifactId>
              <version>1</version>
              <parent>
                <groupId>g</groupId>
                <artifactId>p</artifactId>
                <version>2</version>
              </parent>
              <dependency>
                <groupId>g</groupId>
                <artifactId>b</artifactId>
                <scope>test</scope>
              </dependency>
            </project>
            """);
  }
}
