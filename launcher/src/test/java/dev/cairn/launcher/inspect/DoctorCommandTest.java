package dev.cairn.launcher.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.CairnCommand;
import dev.cairn.launcher.LocalServer;
import dev.cairn.launcher.client.ClientConfiguration;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.run.CairnDatabase;
import dev.cairn.tools.doctor.ClientCheck;
import dev.cairn.tools.doctor.Diagnosis;
import dev.cairn.tools.doctor.Finding;
import dev.cairn.tools.doctor.Finding.Area;
import dev.cairn.tools.doctor.Finding.Level;
import dev.cairn.tools.doctor.Patience;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The findings of {@code cairn doctor}, about a running server and a stopped one. */
class DoctorCommandTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final StringWriter out = new StringWriter();

  @TempDir private Path home;

  @Test
  void aClientConnectsThroughBothRegistries() throws Exception {
    Path data = home.resolve("data");
    try (LocalServer server = new LocalServer(data);
        Patience patience = new Patience(LONG)) {
      Diagnosis diagnosis = new Diagnosis();
      new ClientCheck(
              ClientConfiguration.of(Map.of(), server.addresses()), patience, Failures::reason)
          .run(diagnosis);
      assertThat(diagnosis.findings()).extracting(Finding::level).containsOnly(Level.OK);
      assertThat(texts(diagnosis, Area.CLIENT))
          .anyMatch(text -> text.startsWith("A client connects through ZooKeeper and reads"))
          .anyMatch(text -> text.startsWith("A client connects without ZooKeeper and reads"));
      assertThat(texts(diagnosis, Area.TOLD))
          .contains(
              "hbase:meta is served by " + server.addresses().regionServer() + ".",
              "Active master: " + server.addresses().master() + ".")
          .anyMatch(text -> text.startsWith("Cluster id: "));
    }
  }

  @Test
  void aStoppedServerIsNamedWithWhatItWouldTell() throws Exception {
    site(Map.of("cairn.bind.address", "127.0.0.1"));
    int status = doctor();
    assertThat(out.toString())
        .contains("No server runs on " + home.resolve("data"))
        .contains("A server with these settings would tell clients the host localhost.")
        .contains("Only this machine can connect (protected mode).")
        .contains("GB are free for the data")
        .contains("Machine and JVM");
    assertThat(status).isEqualTo(out.toString().contains("  problem  ") ? 1 : 0);
  }

  @Test
  void aHostThatDoesNotResolveIsAProblem() throws Exception {
    site(Map.of("cairn.hostname", "outside.invalid"));
    assertThat(doctor()).isEqualTo(1);
    assertThat(out.toString())
        .contains("Clients are told the host outside.invalid, which does not resolve here.")
        .contains("cairn.hostname");
  }

  @Test
  void aHostThatClientsCannotBeToldIsAProblem() throws Exception {
    site(Map.of("cairn.hostname", "0.0.0.0"));
    assertThat(doctor()).isEqualTo(1);
    assertThat(out.toString()).contains("cairn.hostname is the host that clients connect to");
  }

  @Test
  void settingsWithWhichNoServerStartsAreAProblem() throws Exception {
    site(Map.of("hbase.regionserver.handler.count", "none"));
    assertThat(doctor()).isEqualTo(1);
    assertThat(out.toString())
        .contains("No server starts with these settings: hbase.regionserver.handler.count must be");
    site(Map.of("hbase.coprocessor.region.classes", "no.such.Class"));
    assertThat(doctor()).isEqualTo(1);
    assertThat(out.toString())
        .contains(
            "No server starts with these settings: hbase.coprocessor.region.classes: the"
                + " coprocessor no.such.Class");
  }

  @Test
  void aServerThatWasKilledIsAProblem() throws Exception {
    site(Map.of());
    Files.createDirectories(home.resolve("data"));
    Files.writeString(
        home.resolve("data/cairn.status"),
        "pid=1\nstarted=1\nserving=1\nmaster=m:1\nregionserver=r:2\nzookeeper=z:3\n");
    assertThat(doctor()).isEqualTo(1);
    assertThat(out.toString()).contains("The server ended without a clean stop");
  }

  @Test
  void programsGetOneObject() throws Exception {
    site(Map.of("cairn.hostname", "outside.invalid"));
    assertThat(doctor("--json")).isEqualTo(1);
    JsonObject json = JsonParser.parseString(out.toString()).getAsJsonObject();
    assertThat(json.get("healthy").getAsBoolean()).isFalse();
    List<JsonObject> problems = new ArrayList<>();
    for (JsonElement finding : json.getAsJsonArray("findings")) {
      if (finding.getAsJsonObject().get("level").getAsString().equals("problem")) {
        problems.add(finding.getAsJsonObject());
      }
    }
    assertThat(problems)
        .anySatisfy(
            problem -> {
              assertThat(problem.get("area").getAsString()).isEqualTo("other_hosts");
              assertThat(problem.get("where").getAsString()).isEqualTo("outside.invalid");
              assertThat(problem.has("remedy")).isTrue();
            });
  }

  private static List<String> texts(Diagnosis diagnosis, Area area) {
    return diagnosis.findings().stream()
        .filter(finding -> finding.area() == area)
        .map(Finding::what)
        .toList();
  }

  private int doctor(String... options) {
    out.getBuffer().setLength(0);
    Properties properties = new Properties();
    properties.setProperty("cairn.home", home.toString());
    List<String> arguments = new ArrayList<>(List.of("doctor"));
    arguments.addAll(List.of(options));
    return new CairnCommand(
            new CairnDatabase(),
            properties,
            Map.of("HBASE_LOG_DIR", home.resolve("logs").toString()))
        .commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(new StringWriter()))
        .execute(arguments.toArray(String[]::new));
  }

  private void site(Map<String, String> more) throws IOException {
    Map<String, String> settings = new TreeMap<>(more);
    settings.putIfAbsent("hbase.zookeeper.property.clientPort", "0");
    Path conf = Files.createDirectories(home.resolve("conf"));
    StringBuilder text = new StringBuilder("<configuration>");
    settings.forEach(
        (name, value) ->
            text.append(
                "<property><name>%s</name><value>%s</value></property>".formatted(name, value)));
    Files.writeString(conf.resolve("hbase-site.xml"), text.append("</configuration>"));
  }
}
