package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.SchemaReview;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.ConfigTable;
import dev.cairn.server.config.SecurityRule;
import dev.cairn.server.config.SecurityRules;
import dev.cairn.server.config.SettingTable;
import dev.cairn.server.config.Verdict;
import dev.cairn.server.process.keys.ProcessSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/CONFIGURATION.md} lists all keys and attributes with their verdicts. To generate it:
 * {@code mvn -pl launcher -am test -Dtest=ConfigurationPageTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dcairn.rewrite=true}.
 */
class ConfigurationPageTest {
  private static final Path PAGE = Path.of("..", "docs", "CONFIGURATION.md");

  private static final String HEAD =
      """
      # Configuration

      This page lists every key of `hbase-site.xml` that Apache HBase 2.6 knows, then the attributes of tables and
      column families. Each has one of these verdicts:

      | Verdict | Meaning | Keys |
      | --- | --- | --- |
      | in force | Cairn reads it; see the table below. An invalid value ends the start with a message that names the key. | %s |
      | clients only | Only clients and tools read it. | %s |
      | no effect | It tunes a part of HBase that Cairn does not have. Ignoring it loses nothing. | %s |
      | warned | It has no effect although a user would expect one. The start warns of it, unless Cairn behaves as its value demands. | %s |
      | refused | Ignoring it would lose data, protection or compatibility. It ends the start, unless Cairn behaves as its value demands. | %s |

      The start also warns of unknown keys that begin with `cairn.` or are spelt almost like a known key. It ignores other
      unknown keys, because clients and tools share `hbase-site.xml` and have keys of their own.

      ## Keys in force
      The memory for calls follows from the heap; see [Memory](operations/capacity.md#memory). Keys marked *Changes at run
      time* take effect when a client requests it (`update_all_config`); see
      [While the server runs](operations/run.md#while-the-server-runs). All others take effect at the start.

      """;

  private static final String PROTECTION =
      """

      ## Keys that ask for protection
      These values end the start, unless `cairn.security.ignore.unsupported` is `true`. Then each start warns of them.

      | Key | Values | Cairn |
      | --- | --- | --- |
      """;

  private static final String OTHERS =
      """

      ## All other keys
      A key that ends in `*` stands for all keys with this prefix that have no entry of their own.
      """;

  private static final String ATTRIBUTES =
      """

      ## Attributes of tables and column families
      Cairn keeps and returns all attributes. It warns of an attribute in the log when a client creates or changes the table,
      and in `status` and on the web page while the table has it. A refused attribute ends the request with an error. Cairn
      also warns of misspelt attributes, and of keys of `hbase-site.xml` that a table or family cannot set.
      """;

  private static final String FOOT =
      """

      This page is generated from the definitions in the code. `CONTRIBUTING.md` has the command.
      """;

  private final List<ConfigKey<?>> keys = ProcessSettings.keys();

  @Test
  void theLauncherDefinesNoKeyOfTheServerAgain() {
    assertThat(keys).extracting(ConfigKey::name).doesNotHaveDuplicates();
  }

  @Test
  void thePageListsTheKeysAsTheyAreDefined() throws IOException {
    SettingTable others = SettingTable.ofSite();
    String page =
        HEAD.formatted(
                keys.size(),
                count(others, Verdict.CLIENT),
                count(others, Verdict.NO_EFFECT),
                count(others, Verdict.WARNED),
                count(others, Verdict.REFUSED) + SecurityRules.all().size())
            + ConfigTable.markdown(keys)
            + PROTECTION
            + protection()
            + OTHERS
            + others.markdown()
            + ATTRIBUTES
            + SchemaReview.tableAttributes().markdown()
            + SchemaReview.familyAttributes().markdown()
            + FOOT;
    if (Boolean.getBoolean("cairn.rewrite")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).hasContent(page);
  }

  private static long count(SettingTable table, Verdict verdict) {
    return table.rules().stream().filter(rule -> rule.verdict() == verdict).count();
  }

  private static String protection() {
    StringBuilder lines = new StringBuilder();
    for (SecurityRule rule : SecurityRules.all()) {
      lines.append("| `").append(rule.key()).append("` | ").append(rule.values());
      lines.append(" | ").append(rule.reason()).append(" |\n");
    }
    return lines.toString();
  }
}
