package dev.cairn.interop.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.process.SharedHBase;
import dev.cairn.shell.ShellArguments;
import dev.cairn.shell.ShellProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Cairn's shell creates no index on HBase, which would store its attribute without effect. */
@Timeout(300)
class IndexesOfHBaseTest {
  private static final String REFUSED = "ERROR: The servers have no secondary indexes";

  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  @TempDir Path folder;

  @Test
  void anIndexOfHBaseIsRefused() throws Exception {
    assertThat(shell("create 'unindexed', 'f'")).contains("Created table unindexed");
    try {
      assertThat(shell("create_index 'unindexed', 'i', COLUMNS => 'f:a'")).contains(REFUSED);
      assertThat(shell("describe 'unindexed'")).doesNotContain("cairn.index");
      assertThat(shell("list_indexes 'unindexed'")).contains("0 row(s)").doesNotContain("ERROR");
      // A table that Cairn has left to HBase.
      shell("alter 'unindexed', METADATA => {'cairn.index.i' => 'f:a'}");
      assertThat(shell("list_indexes 'unindexed'")).contains(REFUSED);
      assertThat(shell("drop_index 'unindexed', 'i'")).doesNotContain("ERROR");
      assertThat(shell("describe 'unindexed'")).doesNotContain("cairn.index");
    } finally {
      shell("disable 'unindexed'\ndrop 'unindexed'");
    }
  }

  private String shell(String script) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Configuration configuration = HBASE.configuration();
    try (PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8);
        ShellProgram program =
            new ShellProgram(
                ShellArguments.parse(List.of("-n")),
                () -> ConnectionFactory.createConnection(configuration),
                new ByteArrayInputStream((script + "\n").getBytes(StandardCharsets.UTF_8)),
                stream,
                stream)) {
      program.run(new ShellProgram.Terminals(Optional.empty(), false, folder.resolve("history")));
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
