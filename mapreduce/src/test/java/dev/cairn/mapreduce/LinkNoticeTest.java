package dev.cairn.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinkNoticeTest {
  private static final String FILE = "0123456789abcdef0123456789abcdef";

  @TempDir private Path folder;

  private Optional<String> notice(String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of(folder.toString(), "t"));
    return LinkNotice.of(arguments, new Configuration());
  }

  private void file(String name) throws IOException {
    Files.createFile(Files.createDirectories(folder.resolve("f")).resolve(name));
  }

  @Test
  void linksAreCountedAndAWayIsNamed() throws IOException {
    file(FILE);
    assertThat(notice()).isEmpty();
    file("source=" + FILE + "-" + FILE);
    assertThat(notice("-D", "a=b", "-Dc=d").orElseThrow())
        .startsWith("1 file of " + folder + " is a link")
        .contains("bin/cairn export TABLE FOLDER --format hfile");
    file("ns=source=" + FILE + "-" + FILE);
    assertThat(notice("-loadTable").orElseThrow())
        .startsWith("2 files of " + folder + " are links");
  }

  @Test
  void aFolderThatIsNotThereIsLeftToTheJob() {
    assertThat(LinkNotice.of(List.of(folder.resolve("none").toString()), new Configuration()))
        .isEmpty();
    assertThat(LinkNotice.of(List.of(), new Configuration())).isEmpty();
  }
}
