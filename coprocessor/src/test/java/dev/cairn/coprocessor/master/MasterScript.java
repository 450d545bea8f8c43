package dev.cairn.coprocessor.master;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Calls the operations of {@code Admin} one after the other, and writes down which hooks of {@link
 * MasterProbe} each calls. The hooks of an operation's call and those of its procedure run side by
 * side, so they are listed apart. Uses nothing of Cairn, so that it also runs against HBase.
 */
public final class MasterScript {
  private static final TableName T = TableName.valueOf("ns1:t");
  private static final TableName COPY = TableName.valueOf("ns1:copy");
  private static final byte[] M = Bytes.toBytes("m");

  /** Hooks of chores and of clients in servers, which come at any time. */
  private static final Set<String> AT_ANY_TIME = Set.of("GetClusterMetrics", "Balance");

  private final Admin admin;
  private final StringBuilder trace = new StringBuilder();

  private MasterScript(Admin admin) {
    this.admin = admin;
  }

  /** A step of the script. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException, InterruptedException, ExecutionException;
  }

  /** Runs the script in a cluster without tables, with quotas, and returns the trace. */
  public static String run(Admin admin) throws Exception {
    MasterScript script = new MasterScript(admin);
    script.namespaces();
    script.tables();
    script.schemas();
    script.regions();
    script.snapshots();
    script.quotas();
    script.cluster();
    script.ends();
    return script.trace.toString();
  }

  private void step(String name, Step step) throws Exception {
    MasterProbe.CALLS.clear();
    String failure = "";
    try {
      step.run();
    } catch (IOException | ExecutionException e) {
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      failure = ": " + cause.getClass().getSimpleName();
    }
    List<String> calls = new ArrayList<>();
    List<String> actions = new ArrayList<>();
    for (String call : MasterProbe.CALLS) {
      String hook = call.substring(0, call.indexOf('('));
      String event = hook.replaceFirst("^pre|^post", "");
      if (AT_ANY_TIME.contains(event) && !name.contains(event)) {
        continue;
      }
      (hook.endsWith("Action") ? actions : calls).add(call);
    }
    trace.append(name).append(failure).append('\n');
    calls.forEach(call -> trace.append("  ").append(call).append('\n'));
    actions.forEach(call -> trace.append("  . ").append(call).append('\n'));
  }

  private void namespaces() throws Exception {
    step("balancer off", () -> admin.balancerSwitch(false, true));
    step(
        "create namespace", () -> admin.createNamespace(NamespaceDescriptor.create("ns1").build()));
    step(
        "modify namespace",
        () ->
            admin.modifyNamespace(
                NamespaceDescriptor.create("ns1").addConfiguration("a", "b").build()));
    step("get namespace", () -> admin.getNamespaceDescriptor("ns1"));
    step("list namespaces", admin::listNamespaces);
    step("list namespaces with descriptors", admin::listNamespaceDescriptors);
    step(
        "create namespace again",
        () -> admin.createNamespace(NamespaceDescriptor.create("ns1").build()));
    step("get absent namespace", () -> admin.getNamespaceDescriptor("absent"));
  }

  private static TableDescriptorBuilder table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
  }

  private void tables() throws Exception {
    step("create table", () -> admin.createTable(table(T).build(), new byte[][] {M}));
    step("create table again", () -> admin.createTable(table(T).build()));
    step("get descriptor", () -> admin.getDescriptor(T));
    step("list descriptors", () -> admin.listTableDescriptors());
    step(
        "list descriptors of a pattern",
        () -> admin.listTableDescriptors(Pattern.compile("ns1:.*")));
    step("list descriptors by names", () -> admin.listTableDescriptors(List.of(T)));
    step(
        "list descriptors of a namespace",
        () -> admin.listTableDescriptorsByNamespace(Bytes.toBytes("ns1")));
    step("list descriptors by state", () -> admin.listTableDescriptorsByState(true));
    step("list names", () -> admin.listTableNames());
    step("list names of a pattern", () -> admin.listTableNames(Pattern.compile("ns1:.*")));
    step("list names of a namespace", () -> admin.listTableNamesByNamespace("ns1"));
    step("list names by state", () -> admin.listTableNamesByState(true));
    step("flush", () -> admin.flush(T));
    step("disable", () -> admin.disableTable(T));
    step("disable again", () -> admin.disableTable(T));
    step("truncate", () -> admin.truncateTable(T, true));
    step("disable", () -> admin.disableTable(T));
    step("enable", () -> admin.enableTable(T));
    step("delete enabled", () -> admin.deleteTable(T));
    step("delete absent", () -> admin.deleteTable(TableName.valueOf("absent")));
  }

  private void schemas() throws Exception {
    TableDescriptor present = admin.getDescriptor(T);
    step(
        "modify",
        () ->
            admin.modifyTable(
                TableDescriptorBuilder.newBuilder(present).setValue("a", "b").build()));
    step("add family", () -> admin.addColumnFamily(T, ColumnFamilyDescriptorBuilder.of("g")));
    step(
        "modify family",
        () ->
            admin.modifyColumnFamily(
                T,
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("g"))
                    .setMaxVersions(3)
                    .build()));
    step("delete family", () -> admin.deleteColumnFamily(T, Bytes.toBytes("g")));
    step("delete absent family", () -> admin.deleteColumnFamily(T, Bytes.toBytes("absent")));
    step("modify tracker", () -> admin.modifyTableStoreFileTracker(T, "FILE"));
    step(
        "modify tracker of family",
        () -> admin.modifyColumnFamilyStoreFileTracker(T, Bytes.toBytes("f"), "FILE"));
    step("modify absent", () -> admin.modifyTable(table(TableName.valueOf("absent")).build()));
  }

  private List<RegionInfo> sorted() throws IOException {
    return admin.getRegions(T).stream()
        .sorted(Comparator.comparing(RegionInfo::getStartKey, Bytes.BYTES_COMPARATOR))
        .collect(Collectors.toList());
  }

  private void regions() throws Exception {
    byte[] first = sorted().get(0).getRegionName();
    step("unassign", () -> admin.unassign(first));
    step("assign", () -> admin.assign(first));
    step("assign unknown", () -> admin.assign(Bytes.toBytes("unknown")));
    step("move without another server", () -> admin.move(sorted().get(0).getEncodedNameAsBytes()));
    step("split", () -> admin.splitRegionAsync(first, Bytes.toBytes("c")).get());
    step(
        "split at the start",
        () -> admin.splitRegionAsync(sorted().get(2).getRegionName(), M).get());
    step("truncate region", () -> admin.truncateRegion(sorted().get(0).getRegionName()));
    step("compact", () -> admin.majorCompact(T));
    step(
        "merge",
        () ->
            admin
                .mergeRegionsAsync(
                    Stream.of(1, 2)
                        .map(
                            one -> {
                              try {
                                return sorted().get(one).getEncodedNameAsBytes();
                              } catch (IOException e) {
                                throw new IllegalStateException(e);
                              }
                            })
                        .toArray(byte[][]::new),
                    false)
                .get());
    step("split switch", () -> admin.splitSwitch(false, true));
    step("merge switch", () -> admin.mergeSwitch(true, true));
    step(
        "split while off",
        () -> admin.splitRegionAsync(sorted().get(0).getRegionName(), Bytes.toBytes("a")).get());
    step("Balance while off", () -> admin.balance());
    step("balancer on", () -> admin.balancerSwitch(true, true));
    step("Balance", () -> admin.balance());
    step("Balance dry", () -> admin.balance(BalanceRequest.newBuilder().setDryRun(true).build()));
    step("normalize", () -> admin.normalize());
  }

  private void snapshots() throws Exception {
    step("snapshot", () -> admin.snapshot("s1", T));
    step("snapshot again", () -> admin.snapshot("s1", T));
    step("snapshot of absent", () -> admin.snapshot("s2", TableName.valueOf("absent")));
    step("list snapshots", admin::listSnapshots);
    step("clone", () -> admin.cloneSnapshot("s1", COPY));
    step("disable", () -> admin.disableTable(COPY));
    step("restore", () -> admin.restoreSnapshot("s1"));
    step("disable", () -> admin.disableTable(T));
    step("restore", () -> admin.restoreSnapshot("s1", false));
    step("delete snapshot", () -> admin.deleteSnapshot("s1"));
    step("delete absent snapshot", () -> admin.deleteSnapshot("absent"));
  }

  private void quotas() throws Exception {
    step(
        "quota of user",
        () ->
            admin.setQuota(
                QuotaSettingsFactory.throttleUser(
                    "u", ThrottleType.REQUEST_NUMBER, 10, TimeUnit.SECONDS)));
    step(
        "quota of user and table",
        () ->
            admin.setQuota(
                QuotaSettingsFactory.throttleUser(
                    "u", T, ThrottleType.REQUEST_NUMBER, 10, TimeUnit.SECONDS)));
    step(
        "quota of user and namespace",
        () ->
            admin.setQuota(
                QuotaSettingsFactory.throttleUser(
                    "u", "ns1", ThrottleType.REQUEST_NUMBER, 10, TimeUnit.SECONDS)));
    step(
        "quota of table",
        () ->
            admin.setQuota(
                QuotaSettingsFactory.throttleTable(
                    T, ThrottleType.REQUEST_NUMBER, 10, TimeUnit.SECONDS)));
    step(
        "quota of table again",
        () ->
            admin.setQuota(
                QuotaSettingsFactory.throttleTable(
                    T, ThrottleType.WRITE_SIZE, 10, TimeUnit.SECONDS)));
    step(
        "quota of namespace",
        () ->
            admin.setQuota(
                QuotaSettingsFactory.throttleNamespace(
                    "ns1", ThrottleType.REQUEST_NUMBER, 10, TimeUnit.SECONDS)));
    step("no throttle of user", () -> admin.setQuota(QuotaSettingsFactory.unthrottleUser("u")));
    step("throttle switch", () -> admin.switchRpcThrottle(true));
    step("throttle on", () -> admin.isRpcThrottleEnabled());
    step("exceed switch", () -> admin.exceedThrottleQuotaSwitch(false));
  }

  @SuppressWarnings("deprecation") // the abort of procedures
  private void cluster() throws Exception {
    List<ServerName> servers = List.copyOf(admin.getRegionServers());
    step("GetClusterMetrics", () -> admin.getClusterMetrics());
    step("decommission", () -> admin.decommissionRegionServers(servers, false));
    step("list decommissioned", admin::listDecommissionedRegionServers);
    step("recommission", () -> admin.recommissionRegionServer(servers.get(0), List.of()));
    step("clear dead", () -> admin.clearDeadServers(List.of()));
    step("list peers", () -> admin.listReplicationPeers());
    step("procedures", admin::getProcedures);
    step("locks", admin::getLocks);
    step("abort", () -> admin.abortProcedureAsync(1_000_000_007L, true).get());
    step("flush master store", admin::flushMasterStore);
    step("balancer enabled", admin::isBalancerEnabled);
  }

  private void ends() throws Exception {
    step("delete", () -> admin.deleteTable(T));
    step("delete", () -> admin.deleteTable(COPY));
    step("delete namespace", () -> admin.deleteNamespace("ns1"));
    step("delete reserved namespace", () -> admin.deleteNamespace("hbase"));
  }
}
