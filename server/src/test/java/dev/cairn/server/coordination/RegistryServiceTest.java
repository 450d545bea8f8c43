package dev.cairn.server.coordination;

import dev.cairn.server.rpc.ProtocolCheck;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What clients without ZooKeeper ask. */
class RegistryServiceTest {
  @Test
  void servesNothingThatTheProtocolDoesNotHave() {
    ProtocolCheck.assertKnown(
        List.of(
            RegistryService.clientMeta(() -> ClusterState.EMPTY),
            RegistryService.bootstrapNodes(() -> ClusterState.EMPTY)));
  }
}
