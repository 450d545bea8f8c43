package dev.cairn.torture.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the text form of histories. */
class RecordedHistoryTest {
  private static final String TEXT =
      """
      counter 0 100 200 increment 2 -> 2
      counter 1 150 ? increment 1
      counter 1 300 400 get -> 2
      register 0 1 9 put -5
      register 1 10 19 get -> -5
      register 0 20 29 delete
      register 2 21 28 check none put 4 -> false
      register 2 30 39 get -> none
      register 2 40 ? check none put 4
      """;

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("history.txt"), text);
  }

  @Test
  void aHistoryIsReadAsItWasWritten() throws IOException {
    RecordedHistory history = RecordedHistory.read(file(TEXT));
    Path copy = folder.resolve("copy.txt");
    history.write(copy);
    assertThat(copy).hasContent(TEXT);
    assertThat(history.size()).isEqualTo(9);
    assertThat(history.violations()).isEmpty();
  }

  @Test
  void aViolationNamesItsRow() throws IOException {
    RecordedHistory history =
        RecordedHistory.read(file(TEXT.replace("300 400 get -> 2", "300 400 get -> 1")));
    assertThat(history.violations())
        .singleElement()
        .asString()
        .startsWith("Row counter: No order explains the results");
  }

  @Test
  void anotherLineIsRefusedByItsNumber() throws IOException {
    Path file = file("r 0 1 2 put 3\nr 0 1 2 put three\n");
    assertThatThrownBy(() -> RecordedHistory.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("line 2 is not a call: r 0 1 2 put three");
  }
}
