package dev.cairn.interop.versions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.client.ServerUnderTest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library for row keys is compiled against other versions of HBase's client, and runs. */
@Timeout(400)
class KeysClientVersionsTest {
  private static final String LIBRARY = "../../../../keys/src/main/java";

  @RegisterExtension static final ServerUnderTest server = new ServerUnderTest();

  @TempDir Path folder;

  @Test
  void anOldClient() throws Exception {
    runs("2.2");
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"2.4", "2.5", "2.6"})
  void laterClients(String client) throws Exception {
    runs(client);
  }

  private void runs(String client) throws Exception {
    ClientProgram program =
        new ClientProgram(
            List.of(client, "hbase2", "shared"), List.of("keys", LIBRARY), "KeysProgram");
    List<String> arguments =
        List.of(
            server.newName("keys").getNameAsString(),
            server.newName("uids").getNameAsString(),
            server.configuration().get("hbase.zookeeper.quorum"),
            server.configuration().get("hbase.zookeeper.property.clientPort"));
    assertThat(program.run(folder, arguments))
        .containsExactly(
            "regions: 4",
            "ordered: 0 1 2 3 4 5 6 7 8 9",
            "reversed: 9 8 7",
            "next page: 6 5 4",
            "unordered: 10 rows",
            "filter: host=\"b\" id=3, host=\"b\" id=8",
            "number: 1 of cpu");
  }
}
