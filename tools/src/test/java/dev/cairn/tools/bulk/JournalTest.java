package dev.cairn.tools.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.LocalSync;
import dev.cairn.tools.bulk.durable.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job's journal over several runs. */
class JournalTest {
  @TempDir Path folder;

  private Journal open(String job) throws IOException {
    FileSystem files = FileSystem.getLocal(new Configuration()).getRaw();
    return Journal.open(files, new org.apache.hadoop.fs.Path(folder.toUri()), "j", job);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void theNextRunFindsWhatTheLastOneWrote() throws IOException {
    Journal first = open("copy");
    first.put("a", "1\t2");
    first.put("b", "3");
    assertThat(files()).containsExactly("j.2");
    Journal second = open("copy");
    assertThat(second.get("a")).contains("1\t2");
    assertThat(second.get("b")).contains("3");
    assertThat(second.get("c")).isEmpty();
    second.delete();
    assertThat(files()).isEmpty();
  }

  @Test
  void whatAKilledProcessLeftDoesNotCount() throws IOException {
    open("copy").put("a", "old");
    Files.copy(folder.resolve("j.1"), folder.resolve("before"));
    open("copy").put("a", "new");
    Files.move(folder.resolve("before"), folder.resolve("j.1")); // killed before its deletion
    Files.writeString(folder.resolve("j.new"), "job\tco"); // killed before its renaming
    Journal next = open("copy");
    assertThat(next.get("a")).contains("new");
    next.put("b", "1");
    next.delete();
    assertThat(files()).isEmpty();
  }

  @Test
  void theNewestNameIsSyncedBeforeOlderJournalsAreDeleted() throws IOException {
    open("copy").put("a", "old");
    Files.copy(folder.resolve("j.1"), folder.resolve("j.2"));
    List<List<String>> synced = new ArrayList<>();
    LocalSync sync =
        new LocalSync() {
          @Override
          public void file(Path file) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void directory(Path directory) throws IOException {
            assertThat(directory).isEqualTo(folder);
            synced.add(files());
          }
        };
    DurableFiles durable =
        new DurableFiles(FileSystem.getLocal(new Configuration()).getRaw(), sync);
    Journal.open(durable, new org.apache.hadoop.fs.Path(folder.toUri()), "j", "copy");
    assertThat(synced).containsExactly(List.of("j.1", "j.2"));
    assertThat(files()).containsExactly("j.2");
  }

  @Test
  void theJournalOfAnotherJobIsRefused() throws IOException {
    open("copy of t").put("a", "1");
    assertThatThrownBy(() -> open("copy of u"))
        .isInstanceOf(BulkException.class)
        .hasMessageContaining("j.1 is of another command, which was stopped: copy of t;");
  }
}
