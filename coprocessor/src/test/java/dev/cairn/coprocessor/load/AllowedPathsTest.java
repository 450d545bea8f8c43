package dev.cairn.coprocessor.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllowedPathsTest {
  @ParameterizedTest
  @CsvSource({
    "*, hdfs://a/x.jar, true",
    "/jars, file:///jars/x.jar, true",
    "/jars, hdfs://node:8020/jars/deep/x.jar, false",
    "/jars, http://node/jars/x.jar, false",
    "hdfs://node:8020/jars, hdfs://node:8020/jars/deep/x.jar, true",
    "file:///jars, /jars/x.jar, true",
    "/jars, '/jars/{../etc/x.jar,y}', false",
    "/jars, '/jars/[x].jar', false",
    "/jars, '/jars/?.jar', false",
    "/jars, '/jars/\\x.jar', false",
    "*, '/jars/{../etc/x.jar,y}', true",
    "/jars, /jars/*.jar, true",
    "/jars, /*/x.jar, false",
    "/jars, /jars/.., false",
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
    assertThat(new AllowedPaths(List.of(place)).allow(jar, URI.create("file:///")))
        .isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "/jars, /jars/x.jar, true",
    "/jars, hdfs://node:8020/jars/x.jar, true",
    "/jars, hdfs:///jars/x.jar, true",
    "/jars, hdfs://other:8020/jars/x.jar, false",
    "/jars, file:///jars/x.jar, false",
    "file:///jars, /jars/x.jar, false",
  })
  void aPathWithoutASchemeIsOneOfTheDefaultFileSystem(String place, String jar, boolean allowed) {
    assertThat(new AllowedPaths(List.of(place)).allow(jar, URI.create("hdfs://node:8020")))
        .isEqualTo(allowed);
  }
}
