package dev.cairn.interop.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A user's project depends on {@code cairn-testing} and {@code hbase-client}, in either order, with
 * and without the BOM. Maven resolves it from the build's artifacts, and a program and a test of
 * JUnit 5 in it run.
 */
class NaturalProjectTest {
  private static final Path CHECKOUT = Path.of("").toAbsolutePath().getParent();
  private static final Path WORK = Path.of("target", "natural").toAbsolutePath();
  private static final String VERSION = "0.2.0-SNAPSHOT";
  private static final String HBASE = property("cairn.interop.hbase.version");
  private static final String OPENING = "--add-opens=java.base/java.nio=ALL-UNNAMED";

  private static final String CLIENT =
      dependency("org.apache.hbase", "hbase-client", "<version>" + HBASE + "</version>");
  private static final String TESTING =
      dependency("dev.cairn", "cairn-testing", "<version>" + VERSION + "</version>");
  private static final String BOM =
      "<dependencyManagement><dependencies><dependency><groupId>dev.cairn</groupId>"
          + "<artifactId>cairn-bom</artifactId><version>"
          + VERSION
          + "</version><type>pom</type><scope>import</scope></dependency></dependencies>"
          + "</dependencyManagement>";

  private static final Map<String, String> PROJECTS =
      Map.of(
          "client-first", dependencies(CLIENT + TESTING),
          "client-last", dependencies(TESTING + CLIENT),
          "with-bom", BOM + dependencies(CLIENT + dependency("dev.cairn", "cairn-testing", "")));

  /** The example of the docs for JUnit 5. */
  private static final String EXAMPLE = "dev/cairn/testing/example/JupiterNotesTest.java";

  private static Path installAll() throws IOException {
    Path repository = WORK.resolve("repository");
    install(repository, "cairn", CHECKOUT, false);
    install(repository, "cairn-bom", CHECKOUT.resolve("bom"), false);
    for (String module : List.of("keys", "engine", "server", "testing")) {
      install(repository, "cairn-" + module, CHECKOUT.resolve(module), true);
    }
    return repository;
  }

  @Test
  void mavenRunsATestWithTheExtension() throws Exception {
    Path repository = installAll();
    String build = Files.readString(CHECKOUT.resolve("pom.xml"));
    String jupiter =
        dependency(
            "org.junit.jupiter",
            "junit-jupiter",
            "<version>" + first("junit.version", build) + "</version>");
    write(
        "junit/pom.xml",
        pom(
            "<groupId>notes</groupId><version>1</version>",
            "notes-with-tests",
            "<properties><maven.compiler.release>17</maven.compiler.release>"
                + "<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>"
                + dependencies(CLIENT + TESTING + jupiter)
                + "<build><plugins>"
                + plugin("maven-resources-plugin", "3.3.1", "")
                + plugin("maven-compiler-plugin", "3.14.1", "")
                + plugin("maven-surefire-plugin", "3.5.4", "<argLine>" + OPENING + "</argLine>")
                + "</plugins></build>"));
    copy(
        CHECKOUT.resolve("testing/src/test/java").resolve(EXAMPLE),
        WORK.resolve("junit/src/test/java").resolve(EXAMPLE));
    writeSettings(repository);
    maven(List.of("-f", "junit/pom.xml", "test"));
    Path reports = WORK.resolve("junit/target/surefire-reports");
    assertThat(reports.resolve("dev.cairn.testing.example.JupiterNotesTest.txt"))
        .content()
        .contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
  }

  private static String plugin(String artifact, String version, String configuration) {
    return "<plugin><artifactId>%s</artifactId><version>%s</version><configuration>%s</configuration></plugin>"
        .formatted(artifact, version, configuration);
  }

  @Test
  @Tag("long")
  void runsBesideAnHBaseClientOfItsOwn() throws Exception {
    Path repository = installAll();
    resolve(repository);
    Path classes = WORK.resolve("classes");
    String program = NotesProgram.class.getName().replace('.', '/') + ".class";
    copy(Path.of("target", "test-classes").resolve(program), classes.resolve(program));
    for (String project : PROJECTS.keySet()) {
      String classPath = Files.readString(WORK.resolve(project).resolve("class-path")).strip();
      assertOneVersionEach(project, classPath);
      CommandLine.Result result =
          CommandLine.run(
              WORK,
              Map.of(),
              List.of(
                  Path.of(property("java.home"), "bin", "java").toString(),
                  OPENING,
                  "-cp",
                  classes + ":" + classPath,
                  NotesProgram.class.getName()));
      assertThat(result.output().lines()).as("%s: %s", project, result).contains("kept");
      assertThat(result.status()).isZero();
    }
  }

  @Test
  void theBomHasTheVersionsOfTheBuild() throws IOException {
    String build = Files.readString(CHECKOUT.resolve("pom.xml"));
    String bom = Files.readString(CHECKOUT.resolve("bom/pom.xml"));
    for (String element : List.of("version", "curator.version", "netty.version")) {
      assertThat(first(element, bom)).as(element).isEqualTo(first(element, build));
    }
    assertThat(first("version", build)).isEqualTo(VERSION);
  }

  private static String first(String element, String pom) {
    Matcher matcher = Pattern.compile("<" + element + ">([^<]*)<").matcher(pom);
    assertThat(matcher.find()).as(element).isTrue();
    return matcher.group(1);
  }

  /** Checks that each artifact has one version, and all parts of Curator the same. */
  private static void assertOneVersionEach(String project, String classPath) {
    List<String> curator =
        Stream.of(classPath.split(":"))
            .map(jar -> Path.of(jar).getFileName().toString())
            .filter(jar -> jar.matches("curator-(client|framework)-.*"))
            .map(jar -> jar.replaceFirst("curator-[a-z]*-", ""))
            .toList();
    assertThat(curator).as("Curator in %s", project).hasSize(2).containsOnly(curator.get(0));
  }

  /** Lets Maven write the class paths of all projects from the build's own downloads. */
  private static void resolve(Path repository) throws IOException, InterruptedException {
    StringBuilder modules = new StringBuilder();
    for (Map.Entry<String, String> project : PROJECTS.entrySet()) {
      modules.append("<module>").append(project.getKey()).append("</module>");
      String parent =
          "<parent><groupId>notes</groupId><artifactId>notes</artifactId><version>1</version></parent>";
      write(project.getKey() + "/pom.xml", pom(parent, project.getKey(), project.getValue()));
    }
    write(
        "pom.xml",
        pom(
            "<groupId>notes</groupId><version>1</version><packaging>pom</packaging>",
            "notes",
            "<modules>" + modules + "</modules>"));
    writeSettings(repository);
    maven(
        List.of(
            "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath",
            "-Dmdep.outputFile=class-path"));
  }

  private static void writeSettings(Path repository) throws IOException {
    write(
        "settings.xml",
        "<settings><localRepository>"
            + repository
            + "</localRepository><mirrors><mirror><id>build</id><mirrorOf>*</mirrorOf><url>"
            + Path.of(property("cairn.interop.repository")).toUri()
            + "</url></mirror></mirrors></settings>");
  }

  /** Runs Maven with the settings of {@link #writeSettings}. */
  private static void maven(List<String> arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(property("cairn.interop.maven"), "bin", "mvn").toString(),
                "-B",
                "-q",
                "-U", // ignores failed downloads of earlier builds
                "-s",
                "settings.xml"));
    command.addAll(arguments);
    CommandLine.Result result =
        CommandLine.run(
            WORK,
            Map.of(
                "JAVA_HOME", property("java.home"),
                "PATH", System.getenv("PATH"),
                "MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"),
            command);
    assertThat(result.status()).as(result.output()).isZero();
  }

  private static String pom(String parent, String name, String rest) {
    return "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>"
        + parent
        + "<artifactId>"
        + name
        + "</artifactId>"
        + rest
        + "</project>";
  }

  private static String dependency(String group, String artifact, String version) {
    return "<dependency><groupId>"
        + group
        + "</groupId><artifactId>"
        + artifact
        + "</artifactId>"
        + version
        + "</dependency>";
  }

  private static String dependencies(String all) {
    return "<dependencies>" + all + "</dependencies>";
  }

  /** Copies an artifact of this build to the repository of installed artifacts. */
  private static void install(Path repository, String artifact, Path module, boolean jar)
      throws IOException {
    Path folder = repository.resolve(Path.of("dev", "cairn", artifact, VERSION));
    copy(module.resolve("pom.xml"), folder.resolve(artifact + "-" + VERSION + ".pom"));
    if (jar) {
      pack(module.resolve("target/classes"), folder.resolve(artifact + "-" + VERSION + ".jar"));
    }
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        zip.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
        Files.copy(file, zip);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void write(String file, String text) throws IOException {
    Path path = WORK.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private static String property(String name) {
    return Objects.requireNonNull(System.getProperty(name), name);
  }
}
