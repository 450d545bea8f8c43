package dev.cairn.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.Scope.Label;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class MetricPagesTest {
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Server";

  private final Histogram gets = new Histogram();
  private final Collection<MetricSource> sources =
      new ArrayList<>(
          List.of(
              MetricSource.of(
                  RecordName.of("RegionServer", "Server", "regionserver")
                      .with(List.of(new Label("server", "a:1"))),
                  to ->
                      to.tag("serverName", "a,1,2")
                          .add(Metric.gauge("regionCount", "Open regions."), 3)
                          .add(Metric.counter("readRequestCount", "Rows that were asked for."), 7)
                          .add(Metric.gauge("memStoreSize", Unit.BYTES, "Memory."), 1L << 40)
                          .addDecimal(
                              Metric.gauge("percentFilesLocal", Unit.PERCENT, "Local."), 12.5)
                          .add(
                              Metric.time("", "Times.").as("operation"),
                              Scope.method("Get", "get"),
                              gets.read(to.nowNanos()))),
              MetricSource.of(
                  RecordName.of("RegionServer", "Tables", "table"),
                  to ->
                      to.add(
                          Metric.gauge("storeFileSize", Unit.BYTES, "Bytes of \"files\"."),
                          Scope.table(TableName.parse("ns:t")),
                          5))));
  private final MetricRegistry registry =
      new MetricRegistry(Clock.SYSTEM, () -> "host", () -> sources);
  private final MetricPages pages =
      MetricPages.of(registry, ManagementFactory::getPlatformMBeanServer);

  private static JsonArray beans(String json) {
    return JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("beans");
  }

  @Test
  void aQueryReturnsTheBeansThatMatch() {
    gets.record(TimeUnit.MILLISECONDS.toNanos(7));
    JsonArray beans = beans(pages.jmx().query(BEAN));
    assertThat(beans).hasSize(1);
    JsonObject bean = beans.get(0).getAsJsonObject();
    assertThat(bean.get("name").getAsString()).isEqualTo(BEAN);
    assertThat(bean.get("modelerType").getAsString()).isEqualTo("RegionServer,sub=Server");
    assertThat(bean.get("tag.Context").getAsString()).isEqualTo("regionserver");
    assertThat(bean.get("tag.Hostname").getAsString()).isEqualTo("host");
    assertThat(bean.get("tag.serverName").getAsString()).isEqualTo("a,1,2");
    assertThat(bean.get("regionCount").getAsString()).isEqualTo("3");
    assertThat(bean.get("memStoreSize").getAsLong()).isEqualTo(1L << 40);
    assertThat(bean.get("percentFilesLocal").getAsDouble()).isEqualTo(12.5);
    assertThat(bean.get("Get_num_ops").getAsLong()).isEqualTo(1);
    assertThat(bean.get("Get_99.9th_percentile").getAsLong()).isEqualTo(7);
    assertThat(bean.get("Get_TimeRangeCount_3-10").getAsLong()).isEqualTo(1);
    assertThat(bean.has("Get_TimeRangeCount_10-30")).isFalse();
  }

  @Test
  void wildcardsMatchAndOtherBeansOfTheJvmAreThere() {
    assertThat(beans(pages.jmx().query("Hadoop:service=HBase,name=RegionServer,*"))).hasSize(2);
    JsonObject memory = beans(pages.jmx().query("java.lang:type=Memory")).get(0).getAsJsonObject();
    assertThat(memory.getAsJsonObject("HeapMemoryUsage").get("used").getAsLong()).isPositive();
    assertThat(beans(pages.jmx().query("*:*"))).hasSizeGreaterThan(5);
    assertThat(beans(pages.jmx().query("a:b=*"))).isEmpty();
    assertThat(pages.jmx().query("bad")).isEqualTo("{}");
  }

  /** A coprocessor may register such beans by Hadoop's metrics system. */
  @Test
  void foreignBeansOfHBasesDomainAreThere_butNotThoseOfOtherServers() throws Exception {
    MBeanServer jvm = MBeanServerFactory.newMBeanServer();
    MetricPages own = MetricPages.of(registry, () -> jvm);
    String foreign = "Hadoop:service=HBase,name=RegionServer,sub=Foreign";
    MetricRegistry others =
        new MetricRegistry(
            Clock.SYSTEM,
            () -> "other",
            () -> List.of(MetricSource.of(RecordName.of("Master", "Server", "m"), to -> {})));
    try (JmxBeans beans = new JmxBeans(others, () -> jvm)) {
      beans.refresh();
      jvm.registerMBean(new StandardMBean(() -> 3, Foreign.class), new ObjectName(foreign));
      jvm.registerMBean(new StandardMBean(() -> 3, Foreign.class), new ObjectName(BEAN));
      JsonArray found = beans(own.jmx().query("Hadoop:*"));
      assertThat(found).hasSize(3);
      assertThat(found.get(0).getAsJsonObject().get("name").getAsString()).isEqualTo(foreign);
      assertThat(found.get(0).getAsJsonObject().get("Value").getAsInt()).isEqualTo(3);
      assertThat(found.get(1).getAsJsonObject().get("regionCount").getAsInt()).isEqualTo(3);
    }
  }

  /** What another library shows. */
  public interface Foreign {
    /** Returns a value. */
    int getValue();
  }

  @Test
  void oneAttributeCanBeAskedFor() {
    JsonObject bean =
        beans(pages.jmx().attribute(BEAN + "::readRequestCount")).get(0).getAsJsonObject();
    assertThat(bean.keySet()).containsExactly("name", "modelerType", "readRequestCount");
    JsonObject missing = beans(pages.jmx().attribute(BEAN + "::nope")).get(0).getAsJsonObject();
    assertThat(missing.get("result").getAsString()).isEqualTo("ERROR");
    assertThat(missing.get("message").getAsString())
        .isEqualTo("No attribute with name nope was found.");
    for (String wrong : List.of(BEAN, "bad::x", "::x", BEAN + "::")) {
      JsonObject error = JsonParser.parseString(pages.jmx().attribute(wrong)).getAsJsonObject();
      assertThat(error.get("message").getAsString()).isEqualTo("query format is not as expected.");
    }
  }

  @Test
  void hbasesPageHasHbasesNames() {
    assertThat(text(pages.hbase().parts(false)).lines())
        .contains(
            "# TYPE server_region_count gauge",
            "server_region_count{context=\"regionserver\",hostname=\"host\",servername=\"a,1,2\"} 3",
            "# TYPE server_read_request_count counter",
            "# TYPE server_get_num_ops counter",
            "# TYPE server_get_99_9th_percentile gauge",
            "# TYPE tables_namespace_ns_table_t_metric_store_file_size gauge")
        .noneMatch(line -> line.startsWith("# HELP"));
    assertThat(text(pages.hbase().parts(true)).lines())
        .contains("# HELP server_region_count Open regions.");
  }

  @Test
  void thePageWithLabelsHasBaseUnits() {
    gets.record(1 << 20);
    gets.record(1 << 21);
    assertThat(text(pages.labelled().parts()).lines())
        .contains(
            "# TYPE cairn_regionserver_read_request_total counter",
            "cairn_regionserver_read_request_total{server=\"a:1\"} 7",
            "cairn_regionserver_percent_files_local_ratio{server=\"a:1\"} 0.125",
            "cairn_regionserver_mem_store_bytes{server=\"a:1\"} 1099511627776",
            "# HELP cairn_table_store_file_bytes Bytes of \"files\".",
            "cairn_table_store_file_bytes{namespace=\"ns\",table=\"t\"} 5",
            "# TYPE cairn_regionserver_operation_seconds histogram",
            "cairn_regionserver_operation_seconds_bucket{server=\"a:1\",method=\"get\",le=\"0.002097152\"} 1",
            "cairn_regionserver_operation_seconds_bucket{server=\"a:1\",method=\"get\",le=\"+Inf\"} 2",
            "cairn_regionserver_operation_seconds_sum{server=\"a:1\",method=\"get\"} 0.003145728",
            "cairn_regionserver_operation_seconds_count{server=\"a:1\",method=\"get\"} 2");
  }

  @Test
  void aSourceThatFailsHidesNoOther() {
    sources.add(
        MetricSource.of(
            RecordName.of("RegionServer", "WAL", "wal"),
            to -> {
              throw new IllegalStateException("broken");
            }));
    assertThat(text(pages.labelled().parts())).contains("cairn_regionserver_region_count");
  }

  @Test
  void beansFollowTheRecords() throws Exception {
    MBeanServer server = MBeanServerFactory.newMBeanServer();
    MetricSource table =
        MetricSource.of(
            RecordName.of("RegionServer", "TableRequests_Namespace_n_table_t", "table"),
            to -> to.add(Metric.gauge("x", "X."), 1));
    ObjectName bean = new ObjectName(BEAN);
    ObjectName ofTable =
        new ObjectName(
            "Hadoop:service=HBase,name=RegionServer,sub=TableRequests_Namespace_n_table_t");
    try (JmxBeans beans = new JmxBeans(registry, () -> server);
        JmxBeans others = new JmxBeans(registry, () -> server)) {
      beans.refresh();
      others.refresh(); // another process of this JVM
      assertThat(server.getAttribute(bean, "readRequestCount")).isEqualTo(7L);
      assertThat(server.getMBeanInfo(bean).getAttributes())
          .extracting(attribute -> attribute.getName())
          .contains("tag.serverName", "Get_num_ops");
      assertThat(
              org.assertj.core.api.Assertions.catchThrowable(
                  () -> server.getAttribute(bean, "nope")))
          .isInstanceOf(AttributeNotFoundException.class);
      sources.add(table);
      beans.refresh();
      assertThat(server.isRegistered(ofTable)).isTrue();
      sources.remove(table);
      beans.refresh();
      assertThat(server.isRegistered(ofTable)).isFalse();
      others.close();
      assertThat(server.isRegistered(bean)).isTrue();
    }
    assertThat(server.isRegistered(bean)).isFalse();
  }

  @Test
  void aRecordWithoutAValidNameHidesNoOther() throws Exception {
    MBeanServer server = MBeanServerFactory.newMBeanServer();
    for (String name : List.of("A pattern*", "No=key,at all")) {
      sources.add(MetricSource.of(RecordName.of(name, "", "x"), to -> {}));
    }
    try (JmxBeans beans = new JmxBeans(registry, () -> server)) {
      beans.refresh();
      beans.refresh();
      assertThat(server.isRegistered(new ObjectName(BEAN))).isTrue();
    }
    assertThat(beans(pages.jmx().query(BEAN))).hasSize(1);
  }

  @Test
  void aLongPageComesInPartsOfBoundedLength() {
    sources.add(
        MetricSource.of(
            RecordName.of("RegionServer", "Regions", "region"),
            to -> {
              for (int i = 0; i < 10_000; i++) {
                to.add(
                    Metric.counter("readRequestCount", "Reads."),
                    Scope.region(TableName.parse("t"), "region" + i),
                    i);
              }
            }));
    for (Iterator<String> parts : List.of(pages.labelled().parts(), pages.hbase().parts(true))) {
      int samples = 0;
      int count = 0;
      while (parts.hasNext()) {
        String part = parts.next();
        count++;
        samples += (int) part.lines().filter(line -> line.contains("egion9999")).count();
        assertThat(part).as("whole lines").endsWith("\n");
        assertThat(part.length()).isLessThan(PageParts.PART_CHARS + 4096);
      }
      assertThat(count).isGreaterThan(5);
      assertThat(samples).isPositive();
    }
  }

  private static String text(Iterator<String> parts) {
    StringBuilder text = new StringBuilder();
    parts.forEachRemaining(text::append);
    return text.toString();
  }
}
