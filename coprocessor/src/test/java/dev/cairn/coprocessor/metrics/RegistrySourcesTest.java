package dev.cairn.coprocessor.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.metrics.JmxPage;
import dev.cairn.server.metrics.MetricPages;
import dev.cairn.server.metrics.MetricSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistriesImpl;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

/** The metrics of Apache's registries have HBase's names, and all readers see the same values. */
class RegistrySourcesTest {
  private static final String SUB = "Coprocessor.Region.CP_x.Y$Z";
  private static final MetricRegistryInfo INFO =
      new MetricRegistryInfo(
          SUB,
          "Metrics about HBase RegionObservers",
          "RegionServer,sub=" + SUB,
          "regionserver",
          false);

  private final MetricRegistries registries = new MetricRegistriesImpl();
  private final RegistrySources sources = new RegistrySources(registries);
  private final MBeanServer jvm = MBeanServerFactory.newMBeanServer();
  private long nanos = 5;

  private final dev.cairn.server.metrics.MetricRegistry registry =
      new dev.cairn.server.metrics.MetricRegistry(
          new Clock() {
            @Override
            public long currentTimeMillis() {
              return 0;
            }

            @Override
            public long nanoTime() {
              return nanos;
            }
          },
          () -> "host",
          sources::all);

  private JsonArray beans() {
    JmxPage page = MetricPages.of(registry, () -> jvm).jmx();
    return JsonParser.parseString(page.query("Hadoop:service=HBase,*"))
        .getAsJsonObject()
        .getAsJsonArray("beans");
  }

  private JsonObject bean() {
    JsonArray beans = beans();
    assertThat(beans).hasSize(1);
    return beans.get(0).getAsJsonObject();
  }

  /** The names and the forms of the values are those that HBase 2.6.4 has in JMX. */
  @Test
  void eachKindOfMetricHasHBasesNames() {
    MetricRegistry own = registries.create(INFO);
    own.counter("aCounter").increment(3);
    own.meter("aMeter.x y").mark(4);
    own.timer("aTimer").update(7, TimeUnit.MILLISECONDS);
    own.histogram("aHistogram").update(9);
    own.register("aGaugeInt", (Gauge<Integer>) () -> 5);
    own.register("aGaugeLong", (Gauge<Long>) () -> 6L);
    own.register("aGaugeDouble", (Gauge<Double>) () -> 6.5);
    own.register("aGaugeFloat", (Gauge<Float>) () -> 0.1f);
    own.register("aGaugeText", (Gauge<String>) () -> "not shown");
    JsonObject bean = bean();
    Set<String> names =
        new TreeSet<>(
            List.of(
                "name",
                "modelerType",
                "tag.Context",
                "tag.Hostname",
                "ACounter",
                "AGaugeInt",
                "AGaugeLong",
                "AGaugeDouble",
                "AGaugeFloat"));
    for (String meter : List.of("AMeter.x y", "ATimer")) {
      for (String figure : List.of("count", "mean_rate", "1min_rate", "5min_rate", "15min_rate")) {
        names.add(meter + "_" + figure);
      }
    }
    for (String histogram : List.of("ATimer", "AHistogram")) {
      for (String figure :
          List.of(
              "num_ops",
              "min",
              "max",
              "mean",
              "25th_percentile",
              "median",
              "75th_percentile",
              "90th_percentile",
              "95th_percentile",
              "98th_percentile",
              "99th_percentile",
              "99.9th_percentile")) {
        names.add(histogram + "_" + figure);
      }
    }
    assertThat(bean.keySet()).containsExactlyInAnyOrderElementsOf(names);
    assertThat(bean.get("name").getAsString())
        .isEqualTo("Hadoop:service=HBase,name=RegionServer,sub=" + SUB);
    assertThat(bean.get("modelerType").getAsString()).isEqualTo("RegionServer,sub=" + SUB);
    assertThat(bean.get("tag.Context").getAsString()).isEqualTo("regionserver");
    assertThat(bean.get("ACounter").getAsString()).isEqualTo("3");
    assertThat(bean.get("AMeter.x y_count").getAsString()).isEqualTo("4");
    assertThat(bean.get("AHistogram_max").getAsString()).isEqualTo("9");
    assertThat(bean.get("ATimer_num_ops").getAsString()).isEqualTo("1");
    assertThat(bean.get("AGaugeInt").getAsString()).isEqualTo("5");
    assertThat(bean.get("AGaugeDouble").getAsString()).isEqualTo("6.5");
    assertThat(bean.get("AGaugeFloat").getAsString()).isEqualTo("0.1");
  }

  @Test
  void theOtherPagesHaveThem() {
    registries.create(INFO).counter("aCounter").increment(3);
    registries.create(INFO).register("aGauge", (Gauge<Integer>) () -> 5);
    MetricPages pages = MetricPages.of(registry, () -> jvm);
    StringBuilder labelled = new StringBuilder();
    pages.labelled().parts().forEachRemaining(labelled::append);
    String labels = "{registry=\"" + SUB + "\",metric=\"";
    assertThat(labelled.toString())
        .contains("# TYPE cairn_coprocessor_metric_total counter\n")
        .contains("cairn_coprocessor_metric_total" + labels + "ACounter\"} 3\n")
        .contains("# TYPE cairn_coprocessor_metric gauge\n")
        .contains("cairn_coprocessor_metric" + labels + "AGauge\"} 5\n");
    StringBuilder hbase = new StringBuilder();
    pages.hbase().parts(false).forEachRemaining(hbase::append);
    assertThat(hbase.toString())
        .contains(
            "coprocessor_region_cp_x_y_z_a_counter"
                + "{context=\"regionserver\",hostname=\"host\"} 3\n");
  }

  @Test
  void countsAreCurrentWhereNoWindowIs() {
    MetricRegistry own = registries.create(INFO);
    own.counter("c").increment();
    assertThat(bean().get("C").getAsInt()).isEqualTo(1);
    own.counter("c").increment();
    assertThat(bean().get("C").getAsInt()).isEqualTo(2);
  }

  @Test
  void allReadersSeeTheSameWindowOfAHistogram() {
    MetricRegistry own = registries.create(INFO);
    own.histogram("h").update(9);
    assertThat(bean().get("H_max").getAsInt()).isEqualTo(9);
    nanos += TimeUnit.SECONDS.toNanos(10) - 1;
    assertThat(bean().get("H_max").getAsInt()).as("another reader").isEqualTo(9);
    own.histogram("h").update(4);
    nanos++;
    assertThat(bean().get("H_max").getAsInt()).as("the next window").isEqualTo(4);
    assertThat(bean().get("H_num_ops").getAsInt()).isEqualTo(2);
  }

  @Test
  void aBeanLivesAsLongAsItsRegistry() {
    registries.create(INFO);
    registries.create(INFO); // of another region with the class
    assertThat(beans()).hasSize(1);
    registries.remove(INFO);
    assertThat(beans()).hasSize(1);
    registries.remove(INFO);
    assertThat(beans()).isEmpty();
    registries.create(INFO).counter("again").increment();
    assertThat(bean().get("Again").getAsInt()).isEqualTo(1);
  }

  @Test
  void aRegistryOfAnotherSourceIsNoBean() {
    registries.create(new MetricRegistryInfo("m", "d", "Shown", "other", true));
    assertThat(beans()).isEmpty();
    registries.create(new MetricRegistryInfo("n", "d", "Other", "other", false));
    assertThat(bean().get("name").getAsString()).isEqualTo("Hadoop:service=HBase,name=Other");
  }

  @Test
  void aGaugeThatFailsHidesOnlyItsRegistry() {
    registries
        .create(INFO)
        .register(
            "bad",
            (Gauge<Integer>)
                () -> {
                  throw new NoClassDefFoundError("gone");
                });
    registries
        .create(new MetricRegistryInfo("n", "d", "Other", "other", false))
        .counter("good")
        .increment();
    Collection<MetricSource> both = sources.all();
    assertThat(both).hasSize(2);
    JsonArray beans = beans();
    assertThat(beans).hasSize(2);
    assertThat(beans.get(0).getAsJsonObject().get("Good").getAsInt()).isEqualTo(1);
  }
}
