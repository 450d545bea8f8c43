package dev.cairn.launcher.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.CairnCommand;
import dev.cairn.launcher.run.CairnDatabase;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of {@code cairn config}. */
class ConfigCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path home;

  @Test
  void aKeyHasItsValueDefaultSourceAndMeaning() throws Exception {
    site(Map.of("hbase.regionserver.handler.count", "60"));
    assertThat(config("hbase.regionserver.handler.count")).isZero();
    assertThat(out.toString())
        .startsWith("hbase.regionserver.handler.count = 60")
        .containsPattern("default +30")
        .containsPattern("source +" + home.resolve("conf/hbase-site.xml"))
        .containsPattern("values +1 to 10000")
        .containsPattern("meaning +Maximum threads for ordinary calls");
  }

  @Test
  void aKeyThatIsNotSetHasItsBuiltInDefault() throws Exception {
    site(Map.of());
    assertThat(config("hbase.regionserver.handler.count")).isZero();
    assertThat(out.toString())
        .startsWith("hbase.regionserver.handler.count = 30")
        .containsPattern("source +built-in");
  }

  @Test
  void anOldNameLeadsToThePresentOne() throws Exception {
    site(Map.of("ipc.server.tcpnodelay", "false"));
    assertThat(config("ipc.server.tcpnodelay")).isZero();
    assertThat(out.toString())
        .startsWith("hbase.ipc.server.tcpnodelay = false")
        .containsPattern("source +.*hbase-site.xml \\(as ipc.server.tcpnodelay\\)");
  }

  @Test
  void anUnknownKeyIsNamedWithTheNearestKnownOne() throws Exception {
    site(Map.of());
    assertThat(config("hbase.regionserver.handlers.count")).isEqualTo(1);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "cairn: there is no setting hbase.regionserver.handlers.count; did you mean"
                + " hbase.regionserver.handler.count?");
    assertThat(config("no.such.key")).isEqualTo(1);
    assertThat(err.toString()).contains("there is no setting no.such.key; bin/cairn config lists");
  }

  @Test
  void aKeyThatTheServerDoesNotReadHasItsVerdict() throws Exception {
    site(Map.of("hbase.bucketcache.size", "512"));
    assertThat(config("hbase.bucketcache.size")).isZero();
    assertThat(out.toString())
        .startsWith("hbase.bucketcache.size = 512")
        .containsPattern("verdict +warned")
        .containsPattern("PROBLEM +hbase.bucketcache.size = 512 has no effect");
    assertThat(config("hbase.ssl.enabled")).isZero();
    assertThat(out.toString())
        .startsWith("hbase.ssl.enabled")
        .containsPattern("verdict +refused with anything but false");
  }

  @Test
  void aValueWithoutAWarningIsNotCalledWarned() throws Exception {
    site(
        Map.of(
            "hbase.regionserver.wal.codec",
            "org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec",
            "hbase.wal.provider",
            "unknown"));
    assertThat(config()).isZero();
    assertThat(out.toString())
        .containsPattern("wal.codec = .*IndexedWALEditCodec +\\[no effect] Cairn's log loads no")
        .containsPattern("hbase.wal.provider = unknown +\\[warned]");
  }

  @Test
  void allKeysAreListedAndThoseOfTheSiteThatHaveNoEffect() throws Exception {
    site(
        Map.of(
            "hbase.regionserver.handler.count", "60",
            "hbase.wal.hsink", "true",
            "my.own.key", "7"));
    assertThat(config()).isZero();
    assertThat(out.toString())
        .containsPattern("hbase.regionserver.handler.count +60 +\\[.*hbase-site.xml]")
        .containsPattern("(?m)^hbase.master.port +16000$")
        .containsPattern("hbase.wal.hsink = true .*Did you mean hbase.wal.hsync\\?")
        .containsPattern("my.own.key = 7 +\\[unknown]");
  }

  @Test
  void onlyKeysThatDifferAreListedOnRequest() throws Exception {
    site(Map.of("hbase.regionserver.handler.count", "60", "hbase.master.port", "16000"));
    assertThat(config("--changed")).isZero();
    assertThat(out.toString().lines())
        .singleElement()
        .asString()
        .startsWith("hbase.regionserver.handler.count");
  }

  @Test
  void aDataFolderThatNoServerCanUseIsNamed() throws Exception {
    site(Map.of("hbase.rootdir", "hdfs://namenode:8020/hbase"));
    assertThat(config()).isEqualTo(1);
    assertThat(out.toString())
        .contains("hbase.rootdir must be a local folder", "hbase.cluster.distributed");
  }

  @Test
  void aClusterMayHaveItsRootOnHdfs() throws Exception {
    site(
        Map.of("hbase.rootdir", "hdfs://namenode:8020/hbase", "hbase.cluster.distributed", "true"));
    assertThat(config()).isZero();
  }

  @Test
  void settingsWithWhichNoServerStartsAreNamed() throws Exception {
    site(Map.of("hbase.regionserver.handler.count", "many"));
    assertThat(config("hbase.regionserver.handler.count")).isEqualTo(1);
    assertThat(out.toString())
        .containsPattern("PROBLEM +hbase.regionserver.handler.count must be 1 to 10000");
    assertThat(config()).isEqualTo(1);
    assertThat(out.toString())
        .contains("A server does not start with these settings: hbase.regionserver.handler.count");
    site(Map.of("hbase.ssl.enabled", "true"));
    assertThat(config("--changed")).isEqualTo(1);
    assertThat(out.toString()).contains("does not start with these settings: hbase.ssl.enabled");
  }

  @Test
  void aCoprocessorThatDoesNotLoadIsNamed() throws Exception {
    site(Map.of("hbase.coprocessor.wal.classes", "no.such.Class"));
    assertThat(config("--changed")).isEqualTo(1);
    assertThat(out.toString())
        .contains(
            "does not start with these settings: hbase.coprocessor.wal.classes: the coprocessor"
                + " no.such.Class");
  }

  @Test
  void programsGetOneObject() throws Exception {
    site(Map.of("hbase.regionserver.handler.count", "60", "hbase.bucketcache.size", "512"));
    assertThat(config("--json", "hbase.regionserver.handler.count")).isZero();
    JsonObject one = JsonParser.parseString(out.toString()).getAsJsonObject();
    assertThat(one.get("key").getAsString()).isEqualTo("hbase.regionserver.handler.count");
    assertThat(one.get("value").getAsString()).isEqualTo("60");
    assertThat(one.get("default").getAsString()).isEqualTo("30");

    assertThat(config("--json")).isZero();
    JsonObject all = JsonParser.parseString(out.toString()).getAsJsonObject();
    assertThat(all.getAsJsonArray("settings")).hasSizeGreaterThan(100).contains(one);
    JsonElement other = all.getAsJsonArray("others").get(0);
    assertThat(other.getAsJsonObject().get("verdict").getAsString()).isEqualTo("warned");
    assertThat(other.getAsJsonObject().get("problem").getAsString()).contains("has no effect");
    assertThat(all.has("refusal")).isFalse();
  }

  private int config(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    Properties properties = new Properties();
    properties.setProperty("cairn.home", home.toString());
    String[] all = new String[arguments.length + 1];
    all[0] = "config";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return new CairnCommand(new CairnDatabase(), properties, Map.of())
        .commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(all);
  }

  private void site(Map<String, String> settings) throws IOException {
    StringBuilder text = new StringBuilder("<configuration>");
    settings.forEach(
        (name, value) ->
            text.append("<property><name>")
                .append(name)
                .append("</name><value>")
                .append(value)
                .append("</value></property>"));
    Files.writeString(
        Files.createDirectories(home.resolve("conf")).resolve("hbase-site.xml"),
        text.append("</configuration>"));
  }
}
