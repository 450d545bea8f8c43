package dev.cairn.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PomReaderTest {
  @Test
  void readsWhatNamesOtherArtifacts() throws Exception {
    Pom pom =
        read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- a comment -->
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <parent>
                <groupId>org.up</groupId><artifactId>up</artifactId><version>7</version>
                <relativePath/>
              </parent>
              <artifactId>self</artifactId>
              <properties><a.version> 1.0 </a.version><empty/></properties>
              <build><plugins><plugin><artifactId>not-me</artifactId>
                <dependencies><dependency><groupId>no</groupId><artifactId>no</artifactId></dependency></dependencies>
              </plugin></plugins></build>
              <dependencyManagement><dependencies>
                <dependency><groupId>g</groupId><artifactId>managed</artifactId><version>3</version></dependency>
              </dependencies></dependencyManagement>
              <dependencies>
                <dependency>
                  <groupId>g</groupId><artifactId>a</artifactId><version>${a.version}</version>
                  <exclusions><exclusion><groupId>x</groupId><artifactId>y</artifactId></exclusion></exclusions>
                </dependency>
                <dependency>
                  <groupId>g</groupId><artifactId>t</artifactId><scope>test</scope><optional>true</optional>
                </dependency>
              </dependencies>
            </project>
            """);

    assertThat(pom.group()).isEmpty();
    assertThat(pom.artifact()).isEqualTo("self");
    assertThat(pom.parent()).contains(new Coordinates("org.up", "up", "7"));
    assertThat(pom.properties()).isEqualTo(Map.of("a.version", "1.0"));
    assertThat(pom.dependencies())
        .isEqualTo(
            List.of(
                new Pom.Dependency("g", "a", Optional.of("${a.version}"), "compile", false),
                new Pom.Dependency("g", "t", Optional.empty(), "test", true)));
    assertThat(pom.managed())
        .isEqualTo(List.of(new Pom.Dependency("g", "managed", Optional.of("3"), "compile", false)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not xml at all",
        "<project><artifactId>cut off",
        "<html><body>404</body></html>",
        "<project><version>1</version></project>",
        "<project><artifactId>a</artifactId><dependencies><dependency><artifactId>x</artifactId>"
            + "</dependency></dependencies></project>"
      })
  void refusesWhatIsNoPom(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(DamagedPomException.class);
  }

  @Test
  void readsNothingFromOutsideOfTheFile() {
    String text =
        "<!DOCTYPE project [<!ENTITY secret SYSTEM \"file:///etc/hostname\">]>"
            + "<project><artifactId>&secret;</artifactId></project>";

    assertThatThrownBy(() -> read(text)).isInstanceOf(DamagedPomException.class);
  }

  private static Pom read(String text) throws DamagedPomException {
    return new PomReader().read(text.getBytes(StandardCharsets.UTF_8));
  }
}
