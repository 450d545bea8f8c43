package dev.cairn.server.master;

import dev.cairn.server.rpc.ProtocolCheck;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What is served on the master's port. */
class MasterServicesTest {
  @Test
  void servesNothingThatTheProtocolDoesNotHave() throws IOException {
    SimulatedCluster cluster = new SimulatedCluster();
    cluster.startMaster();
    ProtocolCheck.assertKnown(cluster.master.services());
  }
}
