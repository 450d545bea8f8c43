package dev.cairn.coprocessor.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cairn.coprocessor.load.MasterHookNames;
import dev.cairn.server.config.ConfigException;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.security.access.CoprocessorWhitelistMasterObserver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks how a master loads the coprocessors that the site names. */
class MasterLoadingTest {
  private static final String KEY = "hbase.coprocessor.master.classes";

  @BeforeEach
  void begin() {
    MasterProbe.CALLS.clear();
    MasterProbe.ACTS.clear();
  }

  private static CairnServer.Builder with(String classes) {
    return CairnServer.builder().setting(KEY, classes).setting("hbase.client.retries.number", "2");
  }

  @Test
  void theListsOfHooksAreWhatIsCalled() {
    Set<String> called = ActiveMasterHooks.allHooks();
    assertThat(called).isEqualTo(MasterHookNames.CALLED);
    Set<String> listed = new HashSet<>(MasterHookNames.NEVER);
    assertThat(listed).doesNotContainAnyElementsOf(called);
    listed.addAll(called);
    assertThat(listed)
        .isEqualTo(
            Arrays.stream(MasterObserver.class.getMethods())
                .map(Method::getName)
                .collect(Collectors.toSet()));
  }

  @Test
  void aClassThatDoesNotLoadKeepsTheMasterFromLeading() {
    assertThatThrownBy(() -> with("no.such.Coprocessor").start())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(KEY)
        .hasMessageContaining("no.such.Coprocessor")
        .hasMessageContaining("is not on the class path");
    assertThatThrownBy(
            () -> with(MasterProbe.class.getName()).setting("probe.fails", "true").start())
        .hasMessageContaining(KEY)
        .hasMessageContaining(MasterProbe.class.getName())
        .hasMessageContaining("the probe fails");
    assertThatThrownBy(() -> with("java.lang.String").start())
        .hasMessageContaining("java.lang.String is no MasterCoprocessor");
  }

  @Test
  void aClassThatDoesNotLoadIsLeftOutIfTheSiteSaysSo() throws IOException {
    try (CairnServer server =
            with("no.such.Coprocessor,"
                    + MasterProbe.class.getName()
                    + ","
                    + MasterProbe.class.getName())
                .setting("hbase.coprocessor.abortonerror", "false")
                .start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      assertThat(admin.getClusterMetrics().getMasterCoprocessorNames())
          .containsExactly("MasterProbe");
      assertThat(MasterProbe.CALLS).containsOnlyOnce("start");
    }
    assertThat(MasterProbe.CALLS).containsOnlyOnce("stop");
  }

  @Test
  void aCoprocessorThatFailsIsRemovedIfTheSiteSaysSo() throws Exception {
    for (boolean stays : new boolean[] {true, false}) {
      MasterProbe.CALLS.clear();
      try (CairnServer server =
              with(MasterProbe.class.getName())
                  .setting("hbase.coprocessor.abortonerror", String.valueOf(stays))
                  .start();
          Connection connection = server.connect();
          Admin admin = connection.getAdmin()) {
        MasterProbe.ACTS.put(
            "preCreateNamespace",
            arguments -> {
              throw new IllegalStateException("a defect");
            });
        NamespaceDescriptor namespace = NamespaceDescriptor.create("n").build();
        assertThatThrownBy(() -> admin.createNamespace(namespace))
            .hasMessageContaining("of the master failed" + (stays ? ": " : " and is removed"))
            .hasMessageContaining("a defect");
        if (stays) {
          assertThatThrownBy(() -> admin.createNamespace(namespace))
              .hasMessageContaining("a defect");
          assertThat(admin.getClusterMetrics().getMasterCoprocessorNames())
              .containsExactly("MasterProbe");
          assertThat(MasterProbe.CALLS).doesNotContain("stop");
        } else {
          admin.createNamespace(namespace);
          assertThat(admin.listNamespaces()).contains("n");
          assertThat(admin.getClusterMetrics().getMasterCoprocessorNames()).isEmpty();
          await().untilAsserted(() -> assertThat(MasterProbe.CALLS).containsOnlyOnce("stop"));
        }
      } finally {
        MasterProbe.ACTS.clear();
      }
    }
  }

  @Test
  void nothingLoadsWhereCoprocessorsAreOff() throws IOException {
    try (CairnServer server =
            with("no.such.Coprocessor," + MasterProbe.class.getName())
                .setting("hbase.coprocessor.enabled", "false")
                .start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      assertThat(admin.getClusterMetrics().getMasterCoprocessorNames()).isEmpty();
    }
    assertThat(MasterProbe.CALLS).isEmpty();
  }

  @Test
  void aClassForAccessControlIsRefused() {
    for (String name :
        new String[] {
          "org.apache.hadoop.hbase.security.access.AccessController",
          "org.apache.ranger.authorization.hbase.RangerAuthorizationCoprocessor"
        }) {
      assertThatThrownBy(() -> with(name).start())
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(name)
          .hasMessageContaining("does not check what a user may do");
    }
  }

  private static TableDescriptor fromJar(String name, String jar) throws IOException {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
        .setValue("hbase.table.sanity.checks", "false")
        .setCoprocessor(
            CoprocessorDescriptorBuilder.newBuilder("some.Class").setJarPath(jar).build())
        .build();
  }

  @Test
  void hbasesObserverOfPathsRefusesJarsFromElsewhere() throws IOException {
    try (CairnServer server =
            with(CoprocessorWhitelistMasterObserver.class.getName())
                .setting("hbase.coprocessor.region.whitelist.paths", "/allowed/*")
                .start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      assertThatThrownBy(() -> admin.createTable(fromJar("refused", "/elsewhere/a.jar")))
          .hasMessageContaining("some.Class")
          .hasMessageContaining("hbase.coprocessor.region.whitelist.paths");
      assertThat(admin.tableExists(TableName.valueOf("refused"))).isFalse();
      TableDescriptor plain =
          TableDescriptorBuilder.newBuilder(TableName.valueOf("plain"))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build();
      admin.createTable(plain);
      assertThatThrownBy(() -> admin.modifyTable(fromJar("plain", "/elsewhere/a.jar")))
          .hasMessageContaining("hbase.coprocessor.region.whitelist.paths");
      assertThat(admin.getDescriptor(plain.getTableName()).getCoprocessorDescriptors()).isEmpty();
    }
  }

  @Test
  void hooksHearOfTheStopOfTheMaster() throws IOException {
    try (CairnServer server = with(MasterProbe.class.getName()).start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      MasterProbe.CALLS.clear();
      MasterProbe.ACTS.put(
          "preShutdown",
          arguments -> {
            throw new IOException("not now");
          });
      assertThatThrownBy(admin::shutdown).hasMessageContaining("not now");
      assertThat(admin.getClusterMetrics().getLiveServerMetrics()).hasSize(1);
      MasterProbe.ACTS.clear();
      MasterProbe.CALLS.clear();
      admin.shutdown();
      assertThat(MasterProbe.CALLS).startsWith("preShutdown()", "stop");
    }
    assertThat(MasterProbe.CALLS).containsOnlyOnce("stop");
  }

  @Test
  void hooksAreCalledAsLongAsTheMasterAnswers() throws IOException {
    try (CairnServer server = with(MasterProbe.class.getName()).start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      MasterProbe.CALLS.clear();
      MasterProbe.ACTS.put("stop", arguments -> admin.getClusterMetrics());
      admin.shutdown();
      assertThat(MasterProbe.CALLS)
          .startsWith(
              "preShutdown()", "stop", "preGetClusterMetrics()", "postGetClusterMetrics(metrics)");
    } finally {
      MasterProbe.ACTS.clear();
    }
  }
}
