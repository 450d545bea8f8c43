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

  @Test
  void refusesUnsupportedMethodsWithTheNameOfTheFeature() throws IOException {
    SimulatedCluster cluster = new SimulatedCluster();
    cluster.startMaster();
    // A region server's AdminService has more methods than the master's.
    ProtocolCheck.assertEachIsServedOrNamed(
        cluster.master.services().stream()
            .filter(service -> !service.name().equals("AdminService"))
            .toList());
  }
}
