package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.ConfigTable;
import dev.cairn.server.process.CairnProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/CONFIGURATION.md} lists all keys, as they are defined. To write it anew: {@code mvn
 * -pl launcher -am test -Dtest=ConfigurationPageTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dcairn.rewrite=true}.
 */
class ConfigurationPageTest {
  private static final Path PAGE = Path.of("..", "docs", "CONFIGURATION.md");

  private static final String HEAD =
      """
      # Configuration

      Every key that Cairn reads from `hbase-site.xml`, with HBase's own names wherever HBase has one. A value that is
      impossible ends the start with a line that names the key; keys that are not listed here are passed over, since a
      `hbase-site.xml` is shared with clients and tools that have keys of their own.

      """;

  private static final String FOOT =
      """

      This page is made from the definitions in the code; a test compares them, and `CONTRIBUTING.md` says how to write it
      anew.
      """;

  private final List<ConfigKey<?>> keys = new ArrayList<>(CairnProcess.keys());

  ConfigurationPageTest() {
    keys.add(DataFolder.ROOT_DIR);
  }

  @Test
  void theLauncherDefinesNoKeyOfTheServerAgain() {
    assertThat(keys).extracting(ConfigKey::name).doesNotHaveDuplicates();
  }

  @Test
  void thePageListsTheKeysAsTheyAreDefined() throws IOException {
    String page = HEAD + ConfigTable.markdown(keys) + FOOT;
    if (Boolean.getBoolean("cairn.rewrite")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).hasContent(page);
  }
}
