package dev.cairn.launcher.sqlline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqllineArgumentsTest {
  @TempDir private Path folder;

  @Test
  void noneMeanThePromptOfTheSite() {
    SqllineArguments parsed = parse();

    assertThat(parsed.url()).isEmpty();
    assertThat(parsed.script()).isEmpty();
    assertThat(parsed.options()).isEmpty();
  }

  @Test
  void theFirstWordNamesTheCluster() {
    assertThat(parse("zk1,zk2:2182:/h").url()).contains("jdbc:phoenix:zk1,zk2:2182:/h");
    assertThat(parse("jdbc:phoenix+rpc:a:1").url()).contains("jdbc:phoenix+rpc:a:1");
    assertThat(parse("-u", "jdbc:phoenix:a").url()).contains("jdbc:phoenix:a");
  }

  @Test
  void aFileIsAScript() throws IOException {
    String file = Files.createFile(folder.resolve("a.sql")).toString();

    assertThat(parse(file)).isEqualTo(parse("-f", file));
    assertThat(parse(file).script()).contains(file);
    assertThat(parse(file).url()).isEmpty();
    assertThat(parse("host", file)).isEqualTo(parse("host", "-f", file));
    assertThat(parse("host", "missing.sql").script()).contains("missing.sql");
  }

  @Test
  void aFileThatDoesNotExistIsNoCluster() {
    for (String word : List.of("missing.sql", "scripts/missing")) {
      assertThatThrownBy(() -> parse(word))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("There is no file " + word);
    }
    assertThat(parse("host").url()).contains("jdbc:phoenix:host");
  }

  @Test
  void otherOptionsGoToSqllineAfterTheDefaults() {
    SqllineArguments parsed = parse("-e", "SELECT 1", "--verbose=false", "host");
    List<String> all = Arrays.asList(parsed.forSqlline("jdbc:phoenix:host", true));

    assertThat(all).startsWith("-u", "jdbc:phoenix:host").contains("--color=true");
    assertThat(all).endsWith("-e", "SELECT 1", "--verbose=false");
    assertThat(all.indexOf("--verbose=true")).isBetween(0, all.indexOf("--verbose=false"));
  }

  @Test
  void rowsAreNotShortenedIfTheOutputIsNoTerminal() {
    assertThat(parse().forSqlline("jdbc:phoenix", false))
        .contains("--color=false", "--maxWidth=100000");
    assertThat(parse().forSqlline("jdbc:phoenix", true))
        .noneMatch(argument -> argument.startsWith("--maxWidth"));
  }

  @Test
  void missingValuesAndFurtherWordsAreRefused() {
    assertThatThrownBy(() -> parse("-f")).hasMessage("Missing value after -f");
    assertThatThrownBy(() -> parse("host", "a.sql", "b.sql"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Unexpected argument: b.sql");
  }

  private static SqllineArguments parse(String... arguments) {
    return SqllineArguments.parse(List.of(arguments));
  }
}
