package dev.cairn.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/**
 * A malformed format of row keys, which HBase has stored unchecked, is named and gets in no way.
 */
class MalformedKeyFormatTest {
  private static final String FORMAT = "host strnig";
  private static final String PROBLEM =
      "KEY_FORMAT is malformed, so row keys are shown as bytes: position 5";

  @Test
  void aStoredFormatThatIsMalformedIsNamedAndIgnored() throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    try (CairnServer server = CairnServer.builder().storage(storage).start()) {
      try (ScriptedShell shell = new ScriptedShell(server::connect, false)) {
        shell.run(
            """
            create 't', 'f'
            put 't', "web1", 'f:q', 'v', 1
            """);
      }
      store(storage);
      server.restart();
      try (ScriptedShell shell = new ScriptedShell(server::connect, false)) {
        assertThat(shell.run("describe 't'")).contains("KEY_FORMAT => '" + FORMAT + "'");
        assertThat(shell.run("scan 't', KEYS => true"))
            .startsWith("Warning: t: " + PROBLEM)
            .contains(" web1 column=f:q")
            .contains("1 row(s)");
        assertThat(shell.run("get 't', 'web1', KEYS => true"))
            .startsWith("Warning: t: " + PROBLEM)
            .contains("value=v");

        assertThat(shell.run("alter 't', NAME => 'f', VERSIONS => 3")).contains("Done.");
        assertThat(shell.run("alter 't', {NAME => 'g'}")).contains("Done.");
        assertThat(shell.run("alter 't', KEY_FORMAT => 'host strin'"))
            .contains("ERROR", "KEY_FORMAT of table t: position 5");

        shell.run("snapshot 't', 's'");
        assertThat(shell.run("clone_snapshot 's', 'c'")).doesNotContain("ERROR");
        shell.run("disable 't'");
        assertThat(shell.run("restore_snapshot 's'")).doesNotContain("ERROR");
        shell.run("enable 't'");
        assertThat(shell.run("scan 'c'")).contains("web1");

        assertThat(shell.run("alter 't', KEY_FORMAT => 'host string'")).contains("Done.");
        assertThat(shell.run("scan 't', KEYS => true"))
            .doesNotContain("Warning")
            .contains("web1 {host=\"web1\"}");
      }
    }
  }

  /** Stores the format as HBase's master would. */
  private static void store(MemoryStorage storage) throws IOException {
    TableFiles files = new TableFiles(storage);
    TableSchema present = files.descriptors().require(TableName.parse("t"));
    BytesBytesPair format =
        BytesBytesPair.newBuilder()
            .setFirst(ByteString.copyFromUtf8("KEY_FORMAT"))
            .setSecond(ByteString.copyFromUtf8(FORMAT))
            .build();
    files
        .descriptors()
        .replace(new TableSchema(present.message().toBuilder().addAttributes(format).build()));
  }
}
