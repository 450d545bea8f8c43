package dev.cairn.interop.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.testing.CairnServer;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures how soon a browser shows the pages of a server with many regions. {@code
 * -Dcairn.regions=10000} runs it; it prints a line for each page.
 */
@EnabledIfSystemProperty(named = "cairn.regions", matches = "\\d+")
class FirstPaintTest {
  private static final int ROUNDS = 9;
  private static final double WANTED_MILLIS = 200;

  private static final List<String> PAGES =
      List.of("", "regions", "table?name=many", "tables", "servers", "hosted", "cache");

  @TempDir Path folder;

  @Test
  void eachPageIsPaintedAtOnceWithManyRegions() throws Exception {
    Optional<Browser> found = Browser.start(folder);
    assumeTrue(found.isPresent(), "Skipped: there is no chromium and chromedriver here");
    try (Browser browser = found.get();
        CairnServer server = CairnServer.builder().setting("hbase.master.info.port", "0").start()) {
      long begun = System.nanoTime();
      create(server, Integer.getInteger("cairn.regions"));
      print("created after %.0f s", (System.nanoTime() - begun) / 1e9);
      String root = "http://localhost:" + server.web().orElseThrow().getPort() + "/";
      List<Double> paints = new ArrayList<>();
      for (String page : PAGES) {
        List<Double> fetched = new ArrayList<>();
        List<Double> painted = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
          pause();
          fetched.add(fetchMillis(root + page));
          pause();
          painted.add(paintMillis(browser, root + page));
        }
        paints.add(median(painted));
        print(
            "/%-16s fetched in %6.1f ms, painted after %6.1f ms (%.1f to %.1f)",
            page,
            median(fetched),
            median(painted),
            Collections.min(painted),
            Collections.max(painted));
      }
      assertThat(paints).allSatisfy(millis -> assertThat(millis).isLessThan(WANTED_MILLIS));
    }
  }

  /** Waits longer than the master reuses its view of the cluster, as occasional readers do. */
  private static void pause() {
    await().pollDelay(Duration.ofMillis(600)).until(() -> true);
  }

  private static void create(CairnServer server, int regions) throws Exception {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = Bytes.toBytes(String.format(Locale.ROOT, "row%07d", i));
    }
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      admin
          .createTableAsync(
              TableDescriptorBuilder.newBuilder(TableName.valueOf("many"))
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                  .build(),
              splits)
          .get(30, TimeUnit.MINUTES);
    }
  }

  private static double fetchMillis(String address) throws Exception {
    long begun = System.nanoTime();
    try (InputStream in = URI.create(address).toURL().openStream()) {
      assertThat(in.readAllBytes()).isNotEmpty();
    }
    return (System.nanoTime() - begun) / 1e6;
  }

  /** Returns the time from the navigation to the first paint with content. */
  private static double paintMillis(Browser browser, String address) throws Exception {
    browser.open(address);
    String paint =
        "performance.getEntriesByType('paint').find(e => e.name === 'first-contentful-paint')";
    browser.await("the page is painted", "return !!" + paint);
    return browser.run("return " + paint + ".startTime").getAsDouble();
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
