package dev.cairn.coprocessor.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllowedPathsTest {
  @ParameterizedTest
  @CsvSource({
    "*, hdfs://a/x.jar, true",
    "/jars, file:///jars/x.jar, true",
    "/jars, hdfs://node:8020/jars/deep/x.jar, true",
    "/jars, /jars/x.jar, true",
    "/jars/, /jars/x.jar, true",
    "/jars, /jarsaside/x.jar, false",
    "/jars, /other/jars/x.jar, false",
    "/jars, /jars/../etc/x.jar, false",
    "file:///jars, file:/jars/x.jar, true",
    "file:///jars, hdfs://node/jars/x.jar, false",
    "hdfs://node/jars, hdfs://other/jars/x.jar, false",
    "/user/*/jars, /user/me/jars/x.jar, true",
    "/jars/*.jar, /jars/x.jar, true",
    "/jars/*.jar, /jars/x.zip, false",
    "'', /jars/x.jar, false",
  })
  void aJarIsBelowAPlace(String place, String jar, boolean allowed) {
    assertThat(new AllowedPaths(List.of(place)).allow(jar)).isEqualTo(allowed);
  }
}
