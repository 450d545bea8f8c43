package dev.cairn.server.master.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.rpc.ProtocolCheck;
import dev.cairn.server.rpc.SubjectCheck;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcService;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the services on the master's port. */
class MasterServicesTest {
  @Test
  void interceptorsAreAskedAboutEachMethodWithItsSubject() throws IOException {
    SimulatedCluster cluster = new SimulatedCluster();
    cluster.startMaster();
    SubjectCheck subjects = new SubjectCheck();
    subjects.check(
        MasterServices.of(
            cluster.master,
            LiveConfig.fixed(new SiteConfig(Map.of())),
            () -> {},
            List.of(subjects)));
  }

  @Test
  void servesItsTables() throws IOException {
    SimulatedCluster cluster = new SimulatedCluster();
    cluster.startMaster();
    List<RpcService> services =
        MasterServices.of(
            cluster.master, LiveConfig.fixed(new SiteConfig(Map.of())), () -> {}, List.of());
    // A region server's AdminService has more methods than the master's.
    ProtocolCheck.assertServesItsTable(
        services.stream().filter(service -> !service.name().equals("AdminService")).toList(),
        MethodTables.MASTER,
        MethodTables.REGION_SERVER_STATUS,
        MethodTables.HBCK,
        MethodTables.LOCK,
        MethodTables.CLIENT_META);
    assertThat(services.stream().filter(service -> service.name().equals("AdminService")))
        .singleElement()
        .satisfies(
            admin -> assertThat(MethodTables.ADMIN.served()).containsAll(admin.methodNames()));
  }
}
