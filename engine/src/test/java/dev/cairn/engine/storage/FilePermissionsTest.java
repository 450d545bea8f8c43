package dev.cairn.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisabledOnOs(OS.WINDOWS)
class FilePermissionsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "077, rwx------, rw-------",
    "027, rwxr-x---, rw-r-----",
    "022, rwxr-xr-x, rw-r--r--",
    "000, rwxrwxrwx, rw-rw-rw-"
  })
  void aUmaskAppliesWhateverTheProcessUmaskIs(String umask, String ofFolder, String ofFile)
      throws IOException {
    FilePermissions permissions = FilePermissions.ofUmask(Integer.parseInt(umask, 8));
    assertThat(permissions.umask()).isEqualTo(umask);
    permissions.createFolders(folder.resolve("a/b"));
    permissions.createFile(folder.resolve("a/b/file"));
    permissions.write(folder.resolve("a/text"), "text");
    assertThat(of("a")).isEqualTo(ofFolder);
    assertThat(of("a/b")).isEqualTo(ofFolder);
    assertThat(of("a/b/file")).isEqualTo(ofFile);
    assertThat(of("a/text")).isEqualTo(ofFile);
    assertThat(folder.resolve("a/text")).hasContent("text");
  }

  @ParameterizedTest
  @CsvSource({
    "rwx------, rwx------, rw-------",
    "rwxr-xr-x, rwxr-xr-x, rw-r--r--",
    "rwxrwx---, rwxrwx---, rw-rw----",
    "rwxrwxrwx, rwxrwxr-x, rw-rw-r--",
    "r-x--x--x, rwx--x--x, rw-------"
  })
  void newFilesFollowThePermissionsOfAnExistingFolder(
      String existing, String ofFolder, String ofFile) throws IOException {
    Path open = Files.createDirectory(folder.resolve("existing"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(existing));
    FilePermissions permissions = FilePermissions.inside(open);
    permissions.createFolder(folder.resolve("sub"));
    permissions.createFile(folder.resolve("file"));
    assertThat(of("sub")).isEqualTo(ofFolder);
    assertThat(of("file")).isEqualTo(ofFile);
    assertThat(of("existing")).isEqualTo(existing);
  }

  @Test
  void aNewFolderIsForItsOwnerOnly() throws IOException {
    FilePermissions.inside(folder.resolve("new")).createFolder(folder.resolve("new"));
    assertThat(of("new")).isEqualTo("rwx------");
  }

  @Test
  void existingFilesKeepTheirPermissions() throws IOException {
    FilePermissions.ofUmask(0).createFile(folder.resolve("file"));
    FilePermissions.OWNER_ONLY.write(folder.resolve("file"), "text");
    FilePermissions.OWNER_ONLY.createFolders(folder);
    assertThat(of("file")).isEqualTo("rw-rw-rw-");
    assertThatThrownBy(() -> FilePermissions.OWNER_ONLY.createFile(folder.resolve("file")))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void aStorageAppliesThemToAllNewFiles() throws IOException {
    try (LocalStorage storage = new LocalStorage(folder.resolve("made/root"));
        StorageLock lock = storage.lock("lock")) {
      storage.writeAll("a/file", new byte[1]);
      storage.createDirectories("b/c");
      for (String path : new String[] {"made", "made/root", "made/root/a", "made/root/b/c"}) {
        assertThat(of(path)).as(path).isEqualTo("rwx------");
      }
      for (String path : new String[] {"a/file", "lock", "lock.owner"}) {
        assertThat(of("made/root/" + path)).as(path).isEqualTo("rw-------");
      }
    }
  }

  private String of(String path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(path)));
  }
}
