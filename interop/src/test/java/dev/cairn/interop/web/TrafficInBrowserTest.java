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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The heat map and the adviser's page in Chromium, for traffic that is known. {@code
 * -Dcairn.pictures=true} renews the pictures of the documentation.
 */
@Tag("long")
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

  /** A table with one row. */
  private static final String WORDS = "words";

  private static final String WORD = "acme,17 xyz";

  /** Finds the brightest point of the canvas below the marks of events, and points at it. */
  private static final String POINT_AT_THE_BRIGHTEST =
      "const canvas = document.querySelector('canvas');const {width, height} = canvas;const data ="
          + " canvas.getContext('2d').getImageData(0, 16, width, height - 16).data;let best = 0;let"
          + " sum = -1;for (let i = 0; i < data.length; i += 4) {  const here = data[i] + data[i +"
          + " 1] + data[i + 2];  if (here > sum) { sum = here; best = i / 4; }}const box ="
          + " canvas.getBoundingClientRect();canvas.dispatchEvent(new PointerEvent('pointermove', {"
          + "  clientX: box.left + best % width + 1, clientY: box.top + Math.floor(best / width) +"
          + " 17}));return document.querySelector('.told').textContent;";

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

  /** A server whose cluster has an hour of recorded traffic, and the beginning of that hour. */
  private record Recorded(CairnServer server, long first) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  private static Recorded recorded() throws IOException {
    Storage storage = new MemoryStorage(Clock.SYSTEM);
    long now = System.currentTimeMillis();
    long first = now - now % HeatStep.FINE_MILLIS - MINUTES * HeatStep.FINE_MILLIS;
    record(new HeatRecorder("earlier,16020", Optional.of(new HeatFiles(storage))), first);
    CairnServer server =
        CairnServer.builder().storage(storage).setting("hbase.master.info.port", "0").start();
    create(server, TABLE, List.of("user2500", "user5000", "user7500"));
    return new Recorded(server, first);
  }

  /** Opens the heat map of a table, and waits until it is drawn. */
  private Browser open(Recorded recorded, String table) throws Exception {
    Browser shown = browser.get();
    shown.open(root(recorded.server()) + "heatmap?table=" + table);
    awaitMap(shown);
    return shown;
  }

  private static void awaitMap(Browser shown) throws Exception {
    shown.await(
        "the heat map is drawn",
        "return document.querySelector('.told')?.textContent.startsWith('Most: ') === true");
  }

  private static String told(Browser shown) throws IOException {
    return shown.run("return document.querySelector('.told').textContent").getAsString();
  }

  /** Presses a key on the picture; returns false if the page has handled it itself. */
  private static boolean press(Browser shown, String key, boolean withControl) throws IOException {
    return shown
        .run(
            "return document.querySelector('canvas').dispatchEvent(new KeyboardEvent('keydown', {"
                + "bubbles: true, cancelable: true, key: '%s', ctrlKey: %s}));"
                    .formatted(key, withControl))
        .getAsBoolean();
  }

  @Test
  void theHotBandIsPaintedWhereItWasPut() throws Exception {
    try (Recorded recorded = recorded()) {
      Browser shown = open(recorded, TABLE);
      shown.picture(PICTURES.resolve("heatmap.png"));
      String told = shown.run(POINT_AT_THE_BRIGHTEST).getAsString();
      assertThat(told).contains(", " + HOT_ROW + " to ").contains("requests");
      Instant pointed = Instant.parse(told.substring(0, 16).replace(' ', 'T') + ":00Z");
      assertThat(pointed)
          .isBetween(
              Instant.ofEpochMilli(recorded.first() + HOT_FROM * HeatStep.FINE_MILLIS),
              Instant.ofEpochMilli(recorded.first() + HOT_UNTIL * HeatStep.FINE_MILLIS));
      assertThat(shown.errors()).isEmpty();
    }
  }

  @Test
  void theDrawnMapIsAccessibleAndLeavesScrollingAndShortcutsToTheBrowser() throws Exception {
    try (Recorded recorded = recorded()) {
      Browser shown = open(recorded, TABLE);
      assertThat(shown.violations()).isEmpty();
      assertThat(shown.run("return getComputedStyle(document.querySelector('canvas')).touchAction"))
          .hasToString("\"pan-y\"");
      assertThat(press(shown, "+", true)).as("Ctrl and + are the browser's").isTrue();
      assertThat(press(shown, "ArrowRight", false)).as("arrows are the map's").isFalse();
      assertThat(
              shown.run("return document.querySelector('.right button') === null").getAsBoolean())
          .as("a page without live parts is not loaded again and again")
          .isTrue();
    }
  }

  @Test
  void plusZoomsInAtTheMarker() throws Exception {
    try (Recorded recorded = recorded()) {
      Browser shown = open(recorded, TABLE);
      shown.run(POINT_AT_THE_BRIGHTEST);
      press(shown, "+", false);
      awaitMap(shown);
      assertThat(told(shown)).contains(", " + HOT_ROW + " to ");
      String zoomed = shown.run("return document.querySelector('a[download]').href").getAsString();
      assertThat(zoomed).contains("&high=user");
      press(shown, "Home", false);
      shown.await(
          "all is shown again",
          "return !document.querySelector('a[download]').href.includes('&high=')");
    }
  }

  @Test
  void aRefreshKeepsTheMarkerAndIsNotReadAloud() throws Exception {
    try (Recorded recorded = recorded()) {
      browser
          .get()
          .runBeforeScripts(
              "const real = window.setInterval;"
                  + "window.setInterval = (what, millis) => {"
                  + "  if (millis === 60000) { window.refresh = what; }"
                  + "  return real(what, millis);"
                  + "};");
      Browser shown = open(recorded, TABLE);
      shown.run(POINT_AT_THE_BRIGHTEST);
      shown.run("window.refresh()");
      shown.await(
          "the map is refreshed",
          "return document.querySelector('.told').getAttribute('aria-live') === 'off'");
      assertThat(told(shown)).contains(", " + HOT_ROW + " to ").doesNotStartWith("Most: ");
      shown.run(
          "window.fetch = () => Promise.reject(new Error('nobody answers'));"
              + "Array.from(document.querySelectorAll('button'))"
              + "  .find(one => one.textContent === 'Show all').click();");
      shown.await(
          "the failure is told",
          "return document.querySelector('.told').textContent"
              + " === 'The traffic cannot be loaded: nobody answers'");
    }
  }

  @Test
  void aPatternNamesThePartsOfKeys() throws Exception {
    try (Recorded recorded = recorded()) {
      Browser shown = open(recorded, WORDS);
      shown.run(POINT_AT_THE_BRIGHTEST);
      assertThat(named(shown, "tenant:to:,, number:to: , rest:text"))
          .contains(", tenant=acme number=17 rest=xyz to ");
      assertThat(named(shown, "a:text2,b:hex2, c:to:§")).contains(", a=ac b=6d65 c=,17 xyz to ");
      assertThat(refused(shown)).isEmpty();
      assertThat(named(shown, "tenant:to:,, number:txt")).contains(", acme,17 xyz to ");
      assertThat(refused(shown)).startsWith("The pattern cannot be read at \"number:txt\".");
      assertThat(shown.errors()).isEmpty();
    }
  }

  @Test
  void theFormatOfTheTableNamesThePartsOfKeysUntilAnotherFormIsChosen() throws Exception {
    try (Recorded recorded = recorded();
        Connection connection = recorded.server().connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(WORDS))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .setValue("KEY_FORMAT", "tenant string(4), rest string")
              .build());
      Browser shown = open(recorded, WORDS);
      shown.run(POINT_AT_THE_BRIGHTEST);
      assertThat(told(shown)).contains(", tenant=\"acme\" rest=\",17 xyz\" to ");
      assertThat(refused(shown)).isEmpty();
      assertThat(named(shown, "tenant:text4")).contains(", tenant=acme … to ");
      shown.run(
          "const select = document.querySelector('select');"
              + "select.value = '%s';".formatted(TABLE)
              + "select.dispatchEvent(new Event('change'));");
      shown.await(
          "the table without a format offers none",
          "return ![...document.querySelectorAll('option')].some(one => one.value === 'format')");
      assertThat(shown.errors()).isEmpty();
    }
  }

  /** Sets a pattern for keys, and returns the description of the marker's place. */
  private static String named(Browser shown, String pattern) throws IOException {
    shown.run(
        "const select = Array.from(document.querySelectorAll('select')).at(-1);"
            + "select.value = 'pattern';"
            + "select.dispatchEvent(new Event('change'));"
            + "const input = document.querySelector('input[type=text]');"
            + "input.value = '%s';".formatted(pattern)
            + "input.dispatchEvent(new Event('input'));");
    return told(shown);
  }

  private static String refused(Browser shown) throws IOException {
    return shown.run("return document.querySelector('.refused').innerText").getAsString();
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
      add(recorder, WORDS, WORD, 10, at);
      recorder.save(at);
    }
    recorder.save(first + MINUTES * HeatStep.FINE_MILLIS);
  }

  private static void add(HeatRecorder recorder, int row, double reads, long at) {
    add(recorder, TABLE, String.format(Locale.ROOT, "user%04d", row), reads, at);
  }

  private static void add(HeatRecorder recorder, String table, String row, double reads, long at) {
    double[] values = new double[TrafficMetric.COUNT];
    values[TrafficMetric.READS.ordinal()] = reads;
    recorder.add(table, Bytes.utf8(row), values, at);
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
