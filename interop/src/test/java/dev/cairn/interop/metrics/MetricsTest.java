package dev.cairn.interop.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.metrics.HBaseMetrics.Absent;
import dev.cairn.interop.metrics.HBaseMetrics.Attribute;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The metrics of a server after some work. {@code docs/METRICS.md} lists them. To generate it:
 * {@code mvn -pl interop -am test -Dtest=MetricsTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dcairn.rewrite=true}.
 */
class MetricsTest {
  private static final Path PAGE = Path.of("..", "docs", "METRICS.md");
  private static final Path HEAD = Path.of("src", "test", "resources", "metrics", "head.md");

  private static MeasuredServer server;
  private static String labelled;

  /** Removes the beans of Apache's code, which other tests have run in this process. */
  @BeforeAll
  static void start() throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    for (ObjectName name : beans.queryNames(new ObjectName("Hadoop:*"), null)) {
      beans.unregisterMBean(name);
    }
    server = MeasuredServer.start("cairn.metrics.histograms", "true");
    labelled = server.get("/metrics");
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Test
  void eachMetricOfHBaseIsPresentOrAbsentWithAReason() throws IOException {
    Set<Attribute> ours = HBaseMetrics.of(server.beans("Hadoop:*"));
    List<Absent> absent = HBaseMetrics.absent();
    Set<Absent> unused = new HashSet<>(absent);
    List<String> wrong = new ArrayList<>();
    for (Attribute metric : HBaseMetrics.all()) {
      List<Absent> reasons = absent.stream().filter(reason -> reason.matches(metric)).toList();
      reasons.forEach(unused::remove);
      if (reasons.size() != (ours.contains(metric) ? 0 : 1)) {
        wrong.add(metric + (ours.contains(metric) ? " is present" : " is absent") + ": " + reasons);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(unused).as("reasons without a metric").isEmpty();
  }

  @Test
  void operationsAreCountedWithTheirLabels() {
    assertThat(labelled.lines())
        .anyMatch(
            line ->
                line.matches(
                    "cairn_table_request_seconds_count\\{server=\"127.0.0.1:\\d+\","
                        + "namespace=\"default\",table=\"measured\",method=\"get\"} "
                        + MeasuredServer.GETS))
        .anyMatch(
            line ->
                line.matches(
                    "cairn_region_read_requests_total\\{server=\"[^\"]+\",namespace=\"default\","
                        + "table=\"measured\",region=\"[0-9a-f]{32}\"} [1-9]\\d*"))
        .anyMatch(
            line ->
                line.matches(
                    "cairn_rpc_method_seconds_count\\{server=\"[^\"]+\",method=\"Get\"} [1-9]\\d*"))
        .anyMatch(line -> line.matches("cairn_wal_sync_seconds_count\\{[^}]+} [1-9]\\d*"));
    for (String method :
        List.of("put", "put_batch", "delete", "increment", "append", "check_and_put", "scan")) {
      assertThat(labelled)
          .containsPattern(
              "cairn_table_request_seconds_count\\{[^}]*table=\"measured\",method=\""
                  + method
                  + "\"} [1-9]");
    }
  }

  @Test
  void hbasesViewsHaveTheSameNumbers() throws IOException {
    String bean =
        "Hadoop:service=HBase,name=RegionServer,sub=TableRequests_Namespace_default_table_";
    JsonObject json =
        JsonParser.parseString(server.beans(bean + "measured"))
            .getAsJsonObject()
            .getAsJsonArray("beans")
            .get(0)
            .getAsJsonObject();
    assertThat(json.get("GetTime_num_ops").getAsInt()).isEqualTo(MeasuredServer.GETS);
    assertThat(server.get("/prometheus"))
        .containsPattern(
            "table_requests_namespace_default_table_measured_get_time_num_ops\\{[^}]*} "
                + MeasuredServer.GETS)
        .containsPattern("server_region_count\\{[^}]*clusterid=\"[^\"]+\"[^}]*} [1-9]")
        .contains("# TYPE region_server_process_call_time_num_ops counter")
        .contains("# TYPE jvm_metrics_gc_count counter");
  }

  private static JsonObject bean(MeasuredServer of, String name) throws IOException {
    return JsonParser.parseString(of.beans("Hadoop:service=HBase,name=" + name))
        .getAsJsonObject()
        .getAsJsonArray("beans")
        .get(0)
        .getAsJsonObject();
  }

  @Test
  void theMasterTellsWhenItBeganToLead() throws IOException {
    JsonObject master = bean(server, "Master,sub=Server");
    long active = master.get("masterActiveTime").getAsLong();
    assertThat(active).isGreaterThanOrEqualTo(master.get("masterStartTime").getAsLong());
    assertThat(master.get("masterFinishedInitializationTime").getAsLong())
        .isGreaterThanOrEqualTo(active)
        .isLessThanOrEqualTo(System.currentTimeMillis());
    JsonObject balancer = bean(server, "Master,sub=Balancer");
    assertThat(balancer.get("tag.isBalancerActive").getAsString()).isEqualTo("true");
    assertThat(balancer.get("miscInvocationCount").getAsLong()).isZero();
    assertThat(balancer.get("BalancerCluster_num_ops").getAsLong()).isZero();
  }

  @Test
  void runsOfTheBalancerAndSnapshotsAreTimed() throws IOException {
    try (MeasuredServer busy = MeasuredServer.start("hbase.ipc.slow.metric.time", "0");
        Connection connection = busy.connect();
        Admin admin = connection.getAdmin()) {
      admin.balance();
      admin.snapshot("taken", MeasuredServer.TABLE);
      admin.cloneSnapshot("taken", TableName.valueOf("cloned"));
      assertThat(bean(busy, "Master,sub=Balancer").get("BalancerCluster_num_ops").getAsLong())
          .isEqualTo(1);
      JsonObject snapshots = bean(busy, "Master,sub=Snapshots");
      assertThat(snapshots.get("SnapshotTime_num_ops").getAsLong()).isEqualTo(1);
      assertThat(snapshots.get("SnapshotCloneTime_num_ops").getAsLong()).isEqualTo(1);
      assertThat(snapshots.get("SnapshotRestoreTime_num_ops").getAsLong()).isZero();
      JsonObject regionServer = bean(busy, "RegionServer,sub=Server");
      for (String operation : List.of("Get", "Put", "Delete", "Increment", "Append")) {
        assertThat(regionServer.get("slow" + operation + "Count").getAsLong())
            .as(operation + " above 0 ms")
            .isPositive();
      }
      assertThat(regionServer.get("updatesBlockedTime").getAsLong()).isZero();
      assertThat(regionServer.get("checkMutatePassedCount").getAsLong()).isEqualTo(1);
      assertThat(regionServer.get("checkMutateFailedCount").getAsLong()).isZero();
      assertThat(regionServer.get("rpcFullScanRequestCount").getAsLong()).isPositive();
    }
  }

  @Test
  void theFormatIsThatOfPrometheus() throws IOException {
    Pattern sample =
        Pattern.compile(
            "[a-z_][a-z0-9_]*(\\{([a-z_]+=\"([^\"\\\\\n]|\\\\.)*\",?)*})? (-?[0-9.]+(E-?\\d+)?|[+]Inf)");
    for (String page : List.of(labelled, server.get("/prometheus"))) {
      Set<String> series = new TreeSet<>();
      for (String line : page.split("\n")) {
        if (line.startsWith("#")) {
          assertThat(line)
              .matches("# (TYPE [a-z0-9_]+ (counter|gauge|histogram)|HELP [a-z0-9_]+ .+)");
        } else {
          assertThat(line).matches(sample);
          assertThat(series.add(line.substring(0, line.lastIndexOf(' ')))).as(line).isTrue();
        }
      }
      assertThat(page.lines().filter(line -> line.startsWith("# TYPE"))).doesNotHaveDuplicates();
    }
  }

  @Test
  void withoutHistogramsOnlyCountersRemain() throws IOException {
    assertThat(labelled).contains("cairn_rpc_process_seconds_bucket");
    try (MeasuredServer plain = MeasuredServer.start("cairn.metrics.histograms", "false")) {
      assertThat(plain.get("/metrics"))
          .doesNotContain("cairn_rpc_process_seconds", "cairn_table_request_seconds")
          .containsPattern("cairn_regionserver_read_requests_total\\{[^}]*} [1-9]");
    }
  }

  @Test
  void thePageListsAllMetrics() throws IOException {
    StringBuilder page = new StringBuilder(Files.readString(HEAD));
    page.append("\n## Series at /metrics\n| Series | Type | Labels | Meaning |\n");
    page.append("| --- | --- | --- | --- |\n");
    series().forEach((name, row) -> page.append(row));
    page.append("\n## Metrics of Apache HBase 2.6.4\n");
    page.append("● is present, under the same name in JMX, at `/jmx` and at `/prometheus`.\n\n");
    page.append("| Bean | Attribute | Cairn |\n| --- | --- | --- |\n");
    List<Absent> absent = HBaseMetrics.absent();
    for (Attribute metric : HBaseMetrics.all()) {
      page.append("| `%s` | `%s` | ".formatted(metric.bean(), metric.name()))
          .append(
              absent.stream()
                  .filter(reason -> reason.matches(metric))
                  .map(Absent::reason)
                  .findFirst()
                  .orElse("●"))
          .append(" |\n");
    }
    if (Boolean.getBoolean("cairn.rewrite")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).hasContent(page.toString());
  }

  /** Returns a row for each series, by its name. */
  private static Map<String, String> series() {
    Map<String, String> help = new TreeMap<>();
    Map<String, String> types = new TreeMap<>();
    Map<String, Set<String>> labels = new TreeMap<>();
    List<String> lines = new ArrayList<>(labelled.lines().toList());
    for (String line : lines) {
      String[] words = line.split(" ", 4);
      if (line.startsWith("# HELP")) {
        help.put(words[2], words[3]);
      } else if (line.startsWith("# TYPE")) {
        types.put(words[2], words[3]);
      } else {
        String name = line.replaceAll("[{ ].*", "").replaceAll("_(bucket|sum|count)$", "");
        name = types.containsKey(name) ? name : line.replaceAll("[{ ].*", "");
        Set<String> own = labels.computeIfAbsent(name, any -> new TreeSet<>());
        Pattern.compile("([a-z]+)=\"")
            .matcher(line)
            .results()
            .map(match -> match.group(1))
            .filter(label -> !label.equals("le"))
            .forEach(own::add);
      }
    }
    return types.keySet().stream()
        .collect(
            Collectors.toMap(
                name -> name,
                name ->
                    "| `%s` | %s | %s | %s |\n"
                        .formatted(
                            name,
                            types.get(name),
                            String.join(", ", labels.getOrDefault(name, Set.of())),
                            help.get(name)),
                (first, second) -> first,
                TreeMap::new));
  }
}
