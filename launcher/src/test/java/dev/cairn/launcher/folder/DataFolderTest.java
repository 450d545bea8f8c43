package dev.cairn.launcher.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.FilePermissions;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.launcher.process.ProcessIdentity;
import dev.cairn.launcher.process.ServerState;
import dev.cairn.launcher.process.ServerStatus;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataFolderTest {
  private static final Optional<Path> HOME = Optional.of(Path.of("/home/of/cairn"));
  private static final ProcessIdentity SELF = ProcessIdentity.of(ProcessHandle.current());
  private static final Addresses ADDRESSES =
      new Addresses(
          "h:1",
          "h:2",
          "h:3",
          Optional.of("http://h:4/"),
          Optional.of("http://h:5/"),
          Optional.of("http://h:4/health"));

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "'', /home/of/cairn/data",
    "/a/b, /a/b",
    "rel/x, /home/of/cairn/rel/x",
    "file:///a/b, /a/b",
    "file:/a/b, /a/b",
    "file:///a%20b, /a b",
    "file://localhost/a, /a"
  })
  void isWhereTheSettingsSay(String text, Path expected) {
    assertThat(named(text, HOME).path()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"hdfs://host/hbase", "s3a://bucket/x", "file://host/a", "file:a", "file:///%"})
  void refusesWhatIsNotLocalInOneLineThatNamesTheKey(String text) {
    assertThatThrownBy(() -> named(text, HOME))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("hbase.rootdir")
        .hasMessageContaining(text)
        .message()
        .doesNotContain("\n");
  }

  @Test
  void hasToBeNamedWhereThereIsNoHome() {
    assertThatThrownBy(() -> named("", Optional.empty()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("hbase.rootdir is not set");
  }

  @Test
  void belongsToOneAtATime() throws IOException {
    DataFolder data = new DataFolder(folder.resolve("new"));
    try (DataFolder.Claim claim = data.claim()) {
      assertThat(claim.root()).isEqualTo(data.path());
      assertThatThrownBy(data::claim)
          .isInstanceOf(LauncherException.class)
          .hasMessageContaining("is in use by");
    }
    data.claim().close();
  }

  @Test
  void isLeftAloneIfItHoldsSomebodyElsesFiles() throws IOException {
    Files.writeString(folder.resolve("thesis.txt"), "x");

    assertThatThrownBy(() -> new DataFolder(folder).claim())
        .isInstanceOf(LauncherException.class)
        .hasMessageContaining("thesis.txt");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(folder.resolve("thesis.txt"));
    }
  }

  @Test
  void cannotBeAFile() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");

    assertThatThrownBy(() -> new DataFolder(file).claim())
        .isInstanceOf(LauncherException.class)
        .hasMessageContaining("is not a folder");
  }

  @Test
  void isAsItWasFoundAfterAStartThatFailed() throws IOException {
    DataFolder fresh = new DataFolder(folder.resolve("fresh"));
    fresh.claim().undo();
    assertThat(fresh.path()).doesNotExist();

    DataFolder used = new DataFolder(folder.resolve("used"));
    DataFolder.Claim claim = used.claim();
    Files.writeString(used.path().resolve("hbase.id"), "x");
    claim.undo();
    assertThat(used.path().resolve("hbase.id")).exists();
  }

  @Test
  void tellsWhatItsServerDoes() throws IOException {
    DataFolder data = new DataFolder(folder);
    assertThat(data.state()).isEqualTo(new ServerState.Stopped());
    ServerStatus status = new ServerStatus(SELF, 5, ADDRESSES, Optional.of(Path.of("/log")));
    try (DataFolder.Claim claim = data.claim()) {
      assertThat(data.state()).isInstanceOf(ServerState.Starting.class);
      claim.publish(status);
      assertThat(data.state()).isEqualTo(new ServerState.Serving(status));
    }
    assertThat(data.state()).isEqualTo(new ServerState.Stopped());

    status.write(folder, FilePermissions.OWNER_ONLY); // what a killed process leaves behind
    assertThat(data.state()).isEqualTo(new ServerState.Died(SELF));
  }

  @Test
  void isMadeForItsOwnerAloneUnlessTheSettingsOrTheFolderSayOtherwise() throws IOException {
    assertThat(permissions(Map.of(), folder.resolve("a/new")))
        .containsExactly("rwx------", "rwx------", "rw-------", "rw-------");
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-x---"));
    assertThat(permissions(Map.of(), open))
        .containsExactly("rwxr-x---", "rwxr-x---", "rw-r-----", "rw-r-----");
    assertThat(permissions(Map.of("cairn.umask", "077"), open))
        .containsExactly("rwxr-x---", "rwx------", "rw-------", "rw-------");
    assertThat(permissions(Map.of("cairn.umask", "002"), folder.resolve("shared")))
        .containsExactly("rwxrwxr-x", "rwxrwxr-x", "rw-rw-r--", "rw-rw-r--");
    assertThat(
            permissions(
                Map.of("hbase.data.umask.enable", "true", "hbase.data.umask", "027"),
                folder.resolve("hbase")))
        .containsExactly("rwxr-x---", "rwxr-x---", "rw-r-----", "rw-r-----");
  }

  @Test
  void refusesAUmaskThatIsNone() {
    assertThatThrownBy(() -> DataFolder.of(new SiteConfig(Map.of("cairn.umask", "88")), HOME))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cairn.umask must be octal");
  }

  /** Returns the permissions of the folder, of a subfolder and its file, and of the status file. */
  private static List<String> permissions(Map<String, String> texts, Path data) throws IOException {
    Map<String, String> all = new HashMap<>(texts);
    all.put("hbase.rootdir", data.toString());
    DataFolder.Claim claim = DataFolder.of(new SiteConfig(all), HOME).claim();
    claim.storage().delete("sub");
    claim.storage().writeAll("sub/file", new byte[1]);
    claim.publish(new ServerStatus(SELF, 5, ADDRESSES, Optional.empty()));
    List<String> found = new ArrayList<>();
    for (String name : List.of("", "sub", "sub/file", "cairn.status")) {
      found.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(name))));
    }
    claim.close();
    return found;
  }

  private static DataFolder named(String text, Optional<Path> home) {
    return DataFolder.of(new SiteConfig(Map.of("hbase.rootdir", text)), home);
  }
}
