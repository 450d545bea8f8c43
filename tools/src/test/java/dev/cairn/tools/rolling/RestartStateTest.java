package dev.cairn.tools.rolling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.tools.rolling.RestartState.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a rolling restart that stopped knows when it goes on. */
class RestartStateTest {
  private static final ServerName MASTER = ServerName.valueOf("m", 16000, 1);
  private static final ServerName ONE = ServerName.valueOf("one", 16020, 1);
  private static final ServerName TWO = ServerName.valueOf("two", 16020, 1);

  @TempDir private Path folder;

  @Test
  void theNextRunKnowsAll() throws IOException {
    Path file = folder.resolve("state");
    RestartState state = RestartState.begin(file, List.of(MASTER), List.of(ONE, TWO));
    assertThat(file).doesNotExist();
    state.setBalancer(true);
    state.done(MASTER);
    state.setRegions(ONE, List.of("a", "b"));
    state.setRegions(TWO, List.of());

    RestartState next = RestartState.read(file);
    assertThat(next.entries())
        .containsExactlyElementsOf(state.entries())
        .containsExactly(
            new Entry(MASTER, true, Optional.empty(), true),
            new Entry(ONE, false, Optional.of(List.of("a", "b")), false),
            new Entry(TWO, false, Optional.of(List.of()), false));
    assertThat(next.balancer()).contains(true);
    next.delete();
    assertThat(file).doesNotExist();
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("state"), "some text\n");
    assertThatThrownBy(() -> RestartState.read(file))
        .hasMessage(file + " has a line that is not understood: some text");
  }
}
