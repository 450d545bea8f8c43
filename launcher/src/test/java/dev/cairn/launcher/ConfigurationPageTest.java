package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.SchemaReview;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.ConfigTable;
import dev.cairn.server.config.SecurityRule;
import dev.cairn.server.config.SecurityRules;
import dev.cairn.server.config.SettingTable;
import dev.cairn.server.config.Verdict;
import dev.cairn.server.process.CairnProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/CONFIGURATION.md} lists all keys and attributes with what becomes of them. To write
 * it anew: {@code mvn -pl launcher -am test -Dtest=ConfigurationPageTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dcairn.rewrite=true}.
 */
class ConfigurationPageTest {
  private static final Path PAGE = Path.of("..", "docs", "CONFIGURATION.md");

  private static final String HEAD =
      """
      # Configuration

      Every key of `hbase-site.xml` that Apache HBase 2.6 knows, and what becomes of it; then the attributes of tables
      and column families. Each has one of these verdicts:

      | Verdict | Meaning | Keys |
      | --- | --- | --- |
      | in force | It does what the table below says. A value that is impossible ends the start with a line that names the key. | %s |
      | clients only | Only clients and tools read it. | %s |
      | no effect | It tunes something that does not exist here; nothing is lost without it. | %s |
      | warned | It has no effect although a user would expect one. The start names it, in the log and on the web page, unless its value is HBase's default or one that asks for nothing else. | %s |
      | refused | The start is refused, since ignoring the key would lose data, protection or compatibility; unless its value asks for nothing of the kind. | %s |

      The start also names a key of `cairn.` that is unknown, and any other unknown key that is spelt almost like a known
      one. All other keys are passed over, since a `hbase-site.xml` is shared with clients and tools that have keys of
      their own.

      ## Keys in force
      """;

  private static final String PROTECTION =
      """

      ## Keys that ask for protection
      Refused with these values, unless `cairn.security.ignore.unsupported` is `true`; then each start warns of them.

      | Key | Values | Cairn |
      | --- | --- | --- |
      """;

  private static final String OTHERS =
      """

      ## All other keys
      A key that ends in `*` stands for all keys that begin so and have no line of their own.
      """;

  private static final String ATTRIBUTES =
      """

      ## Attributes of tables and column families
      All attributes are kept and returned. What a table or family is warned of stands in the log when it is created or changed,
      and on the web page as long as it is so; what is refused ends that request with an error. Misspelt attributes are
      named, too. A key of `hbase-site.xml` that a table or family sets although only the site can is named likewise.
      """;

  private static final String FOOT =
      """

      This page is made from the definitions in the code; a test compares them, and `CONTRIBUTING.md` says how to write it
      anew.
      """;

  private final List<ConfigKey<?>> keys = CairnProcess.keys();

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
