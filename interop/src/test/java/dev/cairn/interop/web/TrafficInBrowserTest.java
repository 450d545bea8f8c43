package dev.cairn.interop.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.traffic.heatmap.HeatFiles;
import dev.cairn.server.traffic.heatmap.HeatRecorder;
import dev.cairn.server.traffic.heatmap.HeatStep;
import dev.cairn.server.traffic.heatmap.TrafficMetric;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The heat map and the adviser's page in Chromium, for traffic that is known. {@code
 * -Dcairn.pictures=true} renews the pictures of the documentation.
 */
class TrafficInBrowserTest {
  private static final Path PICTURES =
      Boolean.getBoolean("cairn.pictures")
          ? Path.of("..", "docs", "images")
          : Path.of("target", "pictures");

  private static final String TABLE = "usertable";
  private static final int MINUTES = 60;
  private static final int HOT_FROM = 20;
  private static final int HOT_UNTIL = 35;
  private static final String HOT_ROW = "user7777";

  /** Finds the brightest point of the canvas below the marks of events, and points at it. */
  private static final String POINT_AT_THE_BRIGHTEST =
      "const canvas = document.querySelector('canvas');"
          + "const {width, height} = canvas;"
          + "const data = canvas.getContext('2d').getImageData(0, 16, width, height - 16).data;"
          + "let best = 0;"
          + "let sum = -1;"
          + "for (let i = 0; i < data.length; i += 4) {"
          + "  const here = data[i] + data[i + 1] + data[i + 2];"
          + "  if (here > sum) { sum = here; best = i / 4; }"
          + "}"
          + "const box = canvas.getBoundingClientRect();"
          + "canvas.dispatchEvent(new PointerEvent('pointermove', {"
          + "  clientX: box.left + best % width + 1, clientY: box.top + Math.floor(best / width) + 17}));"
          + "return document.querySelector('.told').textContent;";

  @TempDir Path folder;
  private Optional<Browser> browser = Optional.empty();

  @BeforeEach
  void start() throws IOException {
    browser = Browser.start(folder);
    assumeTrue(browser.isPresent(), "Skipped: there is no chromium and chromedriver here");
    browser.get().size(1100, 800);
  }

  @AfterEach
  void stop() throws IOException {
    if (browser.isPresent()) {
      browser.get().close();
    }
  }

  @Test
  void theHotBandIsPaintedWhereItWasPut() throws Exception {
    Storage storage = new MemoryStorage(Clock.SYSTEM);
    long now = System.currentTimeMillis();
    long first = now - now % HeatStep.FINE_MILLIS - MINUTES * HeatStep.FINE_MILLIS;
    record(new HeatRecorder("earlier,16020", Optional.of(new HeatFiles(storage))), first);
    try (CairnServer server =
        CairnServer.builder().storage(storage).setting("hbase.master.info.port", "0").start()) {
      create(server, TABLE, List.of("user2500", "user5000", "user7500"));
      Browser shown = browser.get();
      shown.open(root(server) + "heatmap?table=" + TABLE);
      shown.await(
          "the heat map is drawn",
          "return document.querySelector('.told')?.textContent.startsWith('Most: ') === true");
      shown.picture(PICTURES.resolve("heatmap.png"));
      String told = shown.run(POINT_AT_THE_BRIGHTEST).getAsString();
      assertThat(told).contains(", " + HOT_ROW + " to ").contains("requests");
      Instant pointed = Instant.parse(told.substring(0, 16).replace(' ', 'T') + ":00Z");
      assertThat(pointed)
          .isBetween(
              Instant.ofEpochMilli(first + HOT_FROM * HeatStep.FINE_MILLIS),
              Instant.ofEpochMilli(first + HOT_UNTIL * HeatStep.FINE_MILLIS));
      assertThat(shown.errors()).isEmpty();
    }
  }

  /** Records an hour: even reads, reads that move through the keys, and for a while a hot row. */
  private static void record(HeatRecorder recorder, long first) throws IOException {
    Random random = new Random(1);
    for (int minute = 0; minute < MINUTES; minute++) {
      long at = first + minute * HeatStep.FINE_MILLIS;
      for (int i = 0; i < 400; i++) {
        add(recorder, random.nextInt(10_000), 1, at);
        add(recorder, minute * 150 + random.nextInt(200), 8, at);
      }
      if (minute >= HOT_FROM && minute < HOT_UNTIL) {
        add(recorder, 7777, 100_000, at);
      }
      recorder.save(at);
    }
    recorder.save(first + MINUTES * HeatStep.FINE_MILLIS);
  }

  private static void add(HeatRecorder recorder, int row, double reads, long at) {
    double[] values = new double[TrafficMetric.COUNT];
    values[TrafficMetric.READS.ordinal()] = reads;
    recorder.add(TABLE, Bytes.utf8(String.format(Locale.ROOT, "user%04d", row)), values, at);
  }

  @Test
  void theAdvisersPageNamesTheRuleAndTheEffect() throws Exception {
    try (CairnServer server = CairnServer.builder().setting("hbase.master.info.port", "0").start();
        Connection connection = server.connect()) {
      create(server, "events", List.of("2", "4", "6", "8"));
      Browser shown = browser.get();
      try (Table table = connection.getTable(TableName.valueOf("events"))) {
        for (int i = 0; !advises(shown, server); i++) {
          List<Put> puts = new ArrayList<>();
          for (int k = 0; k < 100; k++) {
            String row = String.format(Locale.ROOT, "9%09d", i * 100 + k);
            puts.add(
                new Put(Bytes.utf8(row))
                    .addColumn(Bytes.utf8("f"), Bytes.utf8("q"), Bytes.utf8("value")));
          }
          table.put(puts);
        }
      }
      shown.picture(PICTURES.resolve("advice.png"));
      assertThat(shown.errors()).isEmpty();
    }
  }

  private static boolean advises(Browser shown, CairnServer server) throws IOException {
    shown.open(root(server) + "advice?name=events");
    return shown
        .run(
            "const text = document.querySelector('main').innerText;"
                + "return text.includes('growing-keys') && text.includes('events_hashed');")
        .getAsBoolean();
  }

  private static String root(CairnServer server) {
    return "http://localhost:" + server.web().orElseThrow().getPort() + "/";
  }

  private static void create(CairnServer server, String table, List<String> splits)
      throws IOException {
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build(),
          splits.stream().map(Bytes::utf8).toArray(byte[][]::new));
    }
  }
}
