package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.folder.DataFolder;
import dev.cairn.launcher.run.CairnDatabase;
import dev.cairn.launcher.site.Database;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server that cannot start says why in one line, with exit status 1, and leaves everything as it
 * was: here with the real server behind the command.
 */
class BadStartTest {
  private static final String LOOPBACK = "127.0.0.1";

  private final Map<String, String> settings = new TreeMap<>();
  private final StringWriter err = new StringWriter();

  @TempDir private Path home;
  private Path data;

  @BeforeEach
  void useFreePorts() {
    data = home.resolve("data");
    settings.putAll(LocalServer.settings(data));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hbase.master.port",
        "hbase.master.info.port",
        "hbase.regionserver.port",
        "hbase.regionserver.info.port",
        "hbase.zookeeper.property.clientPort"
      })
  void namesThePortThatIsInUseAndItsKey(String key) throws Exception {
    try (ServerSocket other = new ServerSocket()) {
      other.bind(new InetSocketAddress(InetAddress.getByName(LOOPBACK), 0));
      settings.put(key, Integer.toString(other.getLocalPort()));
      assertRefused(Integer.toString(other.getLocalPort()), key);
      assertThat(data).doesNotExist();
      serveOnce(key);
      settings.put(key, Integer.toString(other.getLocalPort()));
      assertRefused(Integer.toString(other.getLocalPort()), key);
    }
  }

  @Test
  void namesADataFolderThatCannotBe() throws Exception {
    Files.writeString(home.resolve("file"), "");
    settings.put("hbase.rootdir", home.resolve("file").toString());
    assertRefused(home.resolve("file").toString());
    settings.put("hbase.rootdir", home.resolve("file/below").toString());
    assertRefused(home.resolve("file/below").toString());
    settings.put("hbase.rootdir", "/proc/cairn");
    assertRefused("/proc/cairn", "the file system of /proc does not allow new folders there");
    settings.put("hbase.rootdir", "hdfs://namenode/hbase");
    assertRefused("hbase.rootdir", "hdfs://namenode/hbase");
  }

  @Test
  void namesAStrangersFileInTheDataFolder() throws Exception {
    Files.createDirectories(data);
    Files.writeString(data.resolve("letter.txt"), "Dear");
    assertRefused(data.toString(), "letter.txt");
  }

  @Test
  void namesAHostThatIsUnknownHereAndTheRemedy() throws Exception {
    settings.put("cairn.hostname", "outside.invalid");
    assertRefused("outside.invalid", "cairn.hostname", "/etc/hosts");
    assertThat(data).doesNotExist();
  }

  @Test
  void refusesAFolderOfAnotherLayout() throws Exception {
    Files.createDirectories(data);
    Files.writeString(data.resolve("hbase.version"), "7");
    assertRefused("hbase.version");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hbase.version", "hbase.id"})
  void namesTheFolderAndTheFileThatIsDamagedAndWhatToDo(String file) throws Exception {
    serveOnce("hbase.master.port");
    for (String garbage : new String[] {"", "garbage", "PBUFgarbage"}) {
      Files.writeString(data.resolve(file), garbage);
      assertRefused(data.toString(), file, "Restore the file from a backup");
    }
  }

  @Test
  void namesTheProcessThatHasTheFolder() throws Exception {
    DataFolder.Claim other = new DataFolder(data).claim();
    try (other) {
      assertRefused(data.toString());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.master.port, 65536",
    "hbase.regionserver.port, rs",
    "hbase.zookeeper.property.clientPort, -1",
    "hbase.hregion.memstore.flush.size, 128M",
    "hbase.regionserver.global.memstore.size, 1.5",
    "hfile.block.cache.size, -0.1",
    "hbase.wal.hsync, perhaps",
    "hbase.server.keyvalue.maxsize, many",
    "hbase.regionserver.handler.count, 0",
    "hbase.hstore.compaction.max, 1",
    "zookeeper.session.timeout, 90s",
  })
  void namesTheKeyAndItsImpossibleValue(String key, String value) throws Exception {
    settings.put(key, value);
    assertRefused(key, "<" + value + ">");
    assertThat(data).doesNotExist();
  }

  @Test
  void namesTheLineWhereTheSettingsAreMalformed() throws Exception {
    Path conf = Files.createDirectories(home.resolve("conf"));
    Files.writeString(
        conf.resolve("hbase-site.xml"), "<configuration>\n<property>\n</configuration>\n");
    assertRefused(conf, "hbase-site.xml, line 3");
    Files.writeString(conf.resolve("hbase-site.xml"), "");
    assertRefused(conf, "hbase-site.xml");
    assertThat(data).doesNotExist();
  }

  @Test
  void namesTheKeyWithWhichASiteAsksForProtection() throws Exception {
    settings.put("hbase.security.authentication", "kerberos");
    assertRefused(
        "hbase.security.authentication is <kerberos>, but Cairn does not authenticate its clients",
        "set cairn.security.ignore.unsupported to true");
  }

  @Test
  void namesTheFileBesideTheSiteThatAsksForProtection() throws Exception {
    Path conf = writeSite();
    Path core = conf.resolve("core-site.xml");
    Files.writeString(
        core,
        "<configuration><property><name>hadoop.security.authentication</name>"
            + "<value>kerberos</value></property></configuration>");
    assertRefused(conf, "hadoop.security.authentication is <kerberos> in " + core + ", but Cairn");
    assertThat(data).doesNotExist();
  }

  @Test
  void findsLogsOnlyWhereTheyAre() throws Exception {
    Path logs = home.resolve("logs");
    settings.put("hbase.wal.dir", logs.toString());
    serveOnce("hbase.master.port");
    assertThat(logs.resolve("WALs")).isDirectory();
    assertThat(data.resolve("WALs")).doesNotExist();

    settings.remove("hbase.wal.dir");
    assertRefused(
        "the logs of " + data + " are in " + logs + ", and not in " + data, "hbase.wal.dir");
    settings.put("hbase.wal.dir", home.resolve("other").toString());
    assertRefused("are in " + logs + ", and not in " + home.resolve("other"));
    settings.put("hbase.wal.dir", data.resolve("logs").toString());
    assertRefused("hbase.wal.dir is " + data.resolve("logs") + ", which lies in hbase.rootdir");

    Path moved = Files.move(logs, home.resolve("moved"));
    settings.put("hbase.wal.dir", logs.toString());
    String gone =
        "the logs of " + data + " were in " + logs + " at the last start, but that folder";
    assertRefused(gone + " now does not exist", "hbase.wal.dir");
    Files.createDirectories(logs);
    assertRefused(gone + " now has no cairn.wal.id", "hbase.wal.dir");
    Files.delete(logs);
    settings.put("hbase.wal.dir", moved.toString());
    serveOnce("hbase.master.port");
  }

  @Test
  void makesNothingThatOthersCanReach() throws Exception {
    serveOnce("hbase.master.port");
    try (Stream<Path> files = Files.walk(data)) {
      assertThat(files)
          .filteredOn(file -> !file.startsWith(data.resolve("zookeeper/version-2")))
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .endsWith("------"));
    }
  }

  @Test
  void doesNotTakeLogsOfAnotherDatabase() throws Exception {
    Path logs = home.resolve("logs");
    settings.put("hbase.wal.dir", logs.toString());
    serveOnce("hbase.master.port");
    Path first = data;
    data = home.resolve("second");
    settings.put("hbase.rootdir", data.toString());
    assertRefused(logs + ", which holds the logs of the data folder " + first);
    settings.put("hbase.wal.dir", first.toString());
    assertRefused(first + ", which is the data folder of another database");
    assertThat(data).doesNotExist();
  }

  @Test
  void namesTheKeyOfLogsThatAreElsewhereIfOnlyHBaseHasUsedTheFolder() throws Exception {
    serveOnce("hbase.master.port");
    for (String directory : List.of("WALs", "oldWALs")) {
      Files.move(data.resolve(directory), home.resolve(directory));
    }
    assertRefused("neither WALs nor oldWALs", "hbase.wal.dir");
    settings.put("hbase.wal.dir", home.resolve("empty").toString());
    assertRefused("neither WALs nor oldWALs", "hbase.wal.dir", home.resolve("empty").toString());

    Path logs = Files.createDirectory(home.resolve("logs"));
    for (String directory : List.of("WALs", "oldWALs")) {
      Files.move(home.resolve(directory), logs.resolve(directory));
    }
    settings.put("hbase.wal.dir", logs.toString());
    serveOnce("hbase.master.port");
  }

  private void assertRefused(String... causes) throws IOException {
    assertRefused(writeSite(), causes);
  }

  private void assertRefused(Path conf, String... causes) throws IOException {
    err.getBuffer().setLength(0);
    Map<String, String> before = snapshot();
    Properties properties = new Properties();
    properties.setProperty("cairn.home", home.toString());
    int status =
        new CairnCommand(new CairnDatabase(), properties, Map.of())
            .commandLine()
            .setOut(new PrintWriter(new StringWriter()))
            .setErr(new PrintWriter(err))
            .execute("--config", conf.toString(), "standalone");
    assertThat(status).isEqualTo(1);
    assertThat(err.toString().lines()).as("%s", err).hasSize(1);
    assertThat(err.toString()).startsWith("cairn: ").contains(causes);
    assertThat(snapshot()).isEqualTo(before);
  }

  private Path writeSite() throws IOException {
    Path conf = Files.createDirectories(home.resolve("conf"));
    StringBuilder properties = new StringBuilder("<configuration>\n");
    settings.forEach(
        (key, value) ->
            properties.append(
                "<property><name>%s</name><value>%s</value></property>\n".formatted(key, value)));
    Files.writeString(conf.resolve("hbase-site.xml"), properties.append("</configuration>\n"));
    return conf;
  }

  /** Lets a server make the data folder, with {@code key} as it should be. */
  private void serveOnce(String key) throws Exception {
    settings.put(key, "0");
    DataFolder.Claim claim = DataFolder.of(new SiteConfig(settings), Optional.of(home)).claim();
    try (claim;
        Database.Running server =
            new CairnDatabase()
                .start(
                    new SiteConfig(settings),
                    LiveConfig::withoutFile,
                    claim.storage(),
                    claim.root(),
                    notice -> {})) {
      assertThat(server.addresses().zooKeeper()).isNotEmpty();
    }
  }

  /** Returns every file and folder below the home, with its contents. */
  private Map<String, String> snapshot() throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.toList()) {
        String contents = Files.isRegularFile(file) ? "checksum " + checksum(file) : "folder";
        found.put(home.relativize(file).toString(), contents);
      }
    }
    return found;
  }

  private static long checksum(Path file) throws IOException {
    CRC32 crc = new CRC32();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        crc.update(buffer, 0, read);
      }
    }
    return crc.getValue();
  }
}
