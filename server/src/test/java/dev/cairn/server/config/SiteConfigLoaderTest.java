package dev.cairn.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.config.SiteConfig.CoreSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteConfigLoaderTest {
  @TempDir Path directory;

  private final SiteConfigLoader loader =
      new SiteConfigLoader(
          name ->
              Optional.ofNullable(Map.of("user.name", "alice", "java.io.tmpdir", "/tmp").get(name)),
          name -> Optional.ofNullable(Map.of("HOME", "/home/alice", "EMPTY", "").get(name)));

  private Map<String, String> load(String xml) throws IOException {
    Files.writeString(directory.resolve("hbase-site.xml"), xml);
    return loader.load(directory).texts();
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  private Map<String, String> loadProperties(String... properties) throws IOException {
    return load("<configuration>" + String.join("\n", properties) + "</configuration>");
  }

  @Test
  void readsWhatHBaseReads() throws IOException {
    assertThat(
            load(
                """
                <?xml version="1.0"?>
                <?xml-stylesheet type="text/xsl" href="configuration.xsl"?>
                <!-- a licence -->
                <configuration>
                  <property>
                    <name> hbase.rootdir </name>
                    <value>file:///data</value>
                    <description>where it <!-- really --> lies</description>
                  </property>
                  <!-- off -->
                  <property><name>a</name><value>x &amp; <![CDATA[<y>]]></value></property>
                  <property name="b" value="c"/>
                  <property><name>empty</name><value></value></property>
                  <property><name>none</name></property>
                </configuration>
                """))
        .isEqualTo(Map.of("hbase.rootdir", "file:///data", "a", "x & <y>", "b", "c", "empty", ""));
  }

  @Test
  void theLastValueHoldsUnlessAnEarlierOneIsFinal() throws IOException {
    assertThat(
            loadProperties(
                property("a", "1"),
                property("a", "2"),
                "<property><name>b</name><value>1</value><final>true</final></property>",
                property("b", "2")))
        .isEqualTo(Map.of("a", "2", "b", "1"));
  }

  @Test
  void substitutesKeysPropertiesAndTheEnvironment() throws IOException {
    assertThat(
            loadProperties(
                property("base", "${java.io.tmpdir}/hbase-${user.name}"),
                property("data", "${base}/data"),
                property("home", "${env.HOME}:${env.NONE-x}:${env.EMPTY:-y}:${env.EMPTY-z}"),
                property("open", "${unknown} and ${base"),
                property("user.name", "bob")))
        .containsEntry("data", "/tmp/hbase-alice/data")
        .containsEntry("home", "/home/alice:x:y:")
        .containsEntry("open", "${unknown} and ${base");
  }

  @Test
  void leavesOrRefusesValuesThatReferToThemselves() throws IOException {
    assertThat(loadProperties(property("a", "${b}"), property("b", "${a}")))
        .containsOnlyKeys("a", "b");
    assertThatThrownBy(() -> loadProperties(property("grows", "x${grows}")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("grows: the value <x${grows}> refers to itself");
  }

  @Test
  void aDirectoryWithoutTheFileHasNoSettings() {
    assertThat(loader.load(directory).texts()).isEmpty();
  }

  @Test
  void aDirectoryThatIsNotThereIsAnError() {
    assertThatThrownBy(() -> loader.load(directory.resolve("nowhere")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("There is no configuration directory " + directory.resolve("nowhere"));
  }

  @Test
  void namesFileAndLineOfWhatIsMalformed() {
    Path file = directory.resolve("hbase-site.xml");
    for (Map.Entry<String, String> wrong :
        Map.of(
                "<configuration>\n\n<property><name>a</nam></property></configuration>",
                ", line 3: ",
                "<configuration>\n<property>",
                ", line 2: ",
                "not xml",
                ", line 1: ",
                "",
                ": ",
                "<settings/>",
                ", line 1: expected <configuration>, found <settings>",
                "<configuration>\n<key/></configuration>",
                ", line 2: expected <property>, found <key>",
                "<configuration>\n<property><value>1</value></property></configuration>",
                ", line 2: a <property> without <name>",
                "<configuration/><more/>",
                ", line 1: ",
                "<configuration><property><name>a<b/></name></property></configuration>",
                ", line 1: ")
            .entrySet()) {
      assertThatThrownBy(() -> load(wrong.getKey()))
          .as(wrong.getKey())
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith(file.toString())
          .hasMessageContaining(wrong.getValue())
          .hasMessageNotContaining("\n");
    }
  }

  @Test
  void readsNothingFromOutsideTheFile() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "s3cret");
    String xml =
        "<!DOCTYPE configuration [<!ENTITY e SYSTEM \""
            + secret.toUri()
            + "\">]>\n<configuration>"
            + property("a", "&e;")
            + "</configuration>";
    String seen;
    try {
      seen = load(xml).toString();
    } catch (ConfigException e) {
      seen = e.getMessage();
    }
    assertThat(seen).doesNotContain("s3cret");
    assertThatThrownBy(
            () ->
                load(
                    "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">"
                        + "<xi:include href=\"secret\"/></configuration>"))
        .hasMessageContaining("<include> is not supported");
  }

  @Test
  void takesFromCoreSiteOnlyWhatRequestsProtection() throws IOException {
    loadProperties(property("hadoop.security.authentication", "simple"));
    Path core = directory.resolve("core-site.xml");
    Files.writeString(
        core,
        "<configuration>"
            + property("fs.defaultFS", "hdfs://namenode")
            + property("login", "kerberos")
            + property("endless", "${endless} and more")
            + property("hadoop.security.authentication", "${login}")
            + property("hadoop.security.authorization", "true")
            + "</configuration>");

    SiteConfig config = loader.load(directory);

    assertThat(config.texts()).isEqualTo(Map.of("hadoop.security.authentication", "simple"));
    assertThat(config.core())
        .isEqualTo(
            new CoreSite(
                core,
                Map.of(
                    "hadoop.security.authentication",
                    "kerberos",
                    "hadoop.security.authorization",
                    "true")));
    assertThatThrownBy(() -> SecurityRules.check(config))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("hadoop.security.authentication is <kerberos> in " + core + ", but")
        .hasMessageContaining("hadoop.security.authorization is <true> in " + core + ", but")
        .hasMessageContaining("cairn.security.ignore.unsupported");
    assertThat(SecurityRules.check(config.with(SecurityRules.IGNORE_UNSUPPORTED, "true")))
        .hasSize(2);
  }

  @Test
  void readsCoreSiteWhereThereIsNoHBaseSite() throws IOException {
    Path core = directory.resolve("core-site.xml");
    Files.writeString(
        core,
        "<configuration>"
            + property("hadoop.security.authentication", "kerberos")
            + "</configuration>");
    assertThatThrownBy(() -> SecurityRules.check(loader.load(directory)))
        .hasMessageContaining(core.toString());
    Files.writeString(
        core,
        "<configuration>"
            + property("hadoop.security.authentication", "simple")
            + "</configuration>");
    assertThat(SecurityRules.check(loader.load(directory))).isEmpty();
    Files.writeString(core, "<configuration>");
    assertThatThrownBy(() -> loader.load(directory)).hasMessageContaining(core + ", line 1");
  }

  @Test
  void findsImpossibleValuesOfKnownKeys() throws IOException {
    ConfigKey<Integer> port = ConfigKey.port("a.port", 1, "A port.");
    ConfigKey<Boolean> flag = ConfigKey.flag("a.flag", true, "A flag.");
    loadProperties(property("a.port", "70000"), property("unknown", "x"));
    SiteConfig config = loader.load(directory);
    config.check(List.of(flag));
    assertThatThrownBy(() -> config.check(List.of(flag, port)))
        .isInstanceOf(ConfigException.class)
        .hasMessage("a.port must be 0 to 65535, 0 for any free port, not <70000>");
  }

  @Test
  void rendersKeysAsATable() {
    assertThat(
            ConfigTable.markdown(
                List.of(
                    ConfigKey.flag("b", true, "Does a|b."), ConfigKey.text("a", "", "A text."))))
        .isEqualTo(
            """
            | Key | Default | Values | Meaning |
            | --- | --- | --- | --- |
            | `a` |  | text | A text. |
            | `b` | `true` | true or false | Does a\\|b. |
            """);
  }
}
