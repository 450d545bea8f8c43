package dev.cairn.server.coordination;

import dev.cairn.server.rpc.ProtocolCheck;
import dev.cairn.server.rpc.SubjectCheck;
import dev.cairn.server.rpc.service.MethodTables;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the registry of clients without ZooKeeper. */
class RegistryServiceTest {
  @Test
  void interceptorsAreAskedAboutEachMethod() throws IOException {
    SubjectCheck subjects = new SubjectCheck();
    subjects.check(
        List.of(
            RegistryService.clientMeta(() -> ClusterState.EMPTY, List.of(subjects)),
            RegistryService.bootstrapNodes(() -> ClusterState.EMPTY, List.of(subjects))));
  }

  @Test
  void servesItsTables() {
    ProtocolCheck.assertServesItsTable(
        List.of(
            RegistryService.clientMeta(() -> ClusterState.EMPTY, List.of()),
            RegistryService.bootstrapNodes(() -> ClusterState.EMPTY, List.of())),
        MethodTables.CLIENT_META,
        MethodTables.BOOTSTRAP_NODE);
  }
}
