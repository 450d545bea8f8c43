package dev.cairn.interop.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The web pages in Chromium: no script fails, axe finds no problem, and the keyboard reaches the
 * content and sorts tables. {@code -Dcairn.pictures=true} renews the pictures of the documentation.
 */
class PagesInBrowserTest {
  private static final Path PICTURES =
      Boolean.getBoolean("cairn.pictures")
          ? Path.of("..", "docs", "images")
          : Path.of("target", "pictures");

  private static final int LOST_KEYS_MAX = 5;
  private static final TableName TABLE = TableName.valueOf("usertable");
  private static final Map<String, String> PARAMETERS = Map.of("table", "?name=usertable");

  @TempDir static Path folder;

  private static Optional<Browser> found = Optional.empty();
  private static CairnServer server;
  private static String root;

  @BeforeAll
  static void start() throws IOException {
    found = Browser.start(folder);
    assumeTrue(
        found.isPresent(),
        "Skipped: there is no chromium and chromedriver here (Debian: apt-get install chromium"
            + " chromium-driver)");
    server =
        CairnServer.builder()
            .setting("hbase.master.info.port", "0")
            .setting("cairn.web.actions.enabled", "true")
            .start();
    root = "http://localhost:" + server.web().orElseThrow().getPort() + "/";
    try (Connection connection = server.connect()) {
      fill(connection);
    }
  }

  private static void fill(Connection connection) throws IOException {
    byte[][] splits = new byte[24][];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = Bytes.toBytes(String.format("user%04d", 400 * (i + 1)));
    }
    create(connection, TABLE, splits);
    create(
        connection,
        TableName.valueOf("long.keys"),
        new byte[][] {Bytes.toBytes("m".repeat(50)), Bytes.toBytes("z" + "0".repeat(90))});
    create(connection, TableName.valueOf("web.pages"), new byte[][] {Bytes.toBytes("com.m")});
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      byte[] row = Bytes.toBytes(String.format("user%04d", (i * i) % 9_999));
      puts.add(new Put(row).addColumn(Bytes.toBytes("f"), Bytes.toBytes("q"), new byte[100]));
    }
    try (Table table = connection.getTable(TABLE);
        Admin admin = connection.getAdmin()) {
      table.put(puts);
      admin.flush(TABLE);
      admin.snapshot("before-the-change", TABLE);
    }
  }

  private static void create(Connection connection, TableName name, byte[][] splits)
      throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build(),
          splits);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (found.isPresent()) {
      found.get().close();
    }
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void desktop() throws IOException {
    browser().focus();
    browser().size(1280, 900);
    browser().dark(false);
  }

  private static Browser browser() {
    return found.orElseThrow();
  }

  private static List<String> pages() throws IOException {
    List<String> pages = new ArrayList<>(List.of("actions/end-scanner?scanner=1"));
    try (InputStream in = URI.create(root + "api/v1").toURL().openStream()) {
      JsonParser.parseString(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .getAsJsonObject()
          .getAsJsonArray("pages")
          .forEach(
              page -> {
                String id = page.getAsJsonObject().get("page").getAsString();
                pages.add(id + PARAMETERS.getOrDefault(id, ""));
              });
    }
    return pages;
  }

  @Test
  void eachPageRunsWithoutErrorsAndIsAccessible() throws Exception {
    for (String page : pages()) {
      browser().open(root + page);
      assertThat(browser().violations()).as(page).isEmpty();
      assertThat(browser().errors()).as(page).isEmpty();
    }
  }

  @Test
  @Tag("long")
  void eachPageFitsAPhoneInTheDark() throws Exception {
    browser().size(390, 844);
    browser().dark(true);
    for (String page : pages()) {
      browser().open(root + page);
      assertThat(browser().run("return document.documentElement.scrollWidth").getAsInt())
          .as(page)
          .isLessThanOrEqualTo(390);
      assertThat(browser().violations()).as(page).isEmpty();
    }
  }

  /** Even in a column of long keys only, each line of a key has more than a few letters. */
  @Test
  void longKeysAreNotNarrow() throws Exception {
    for (int width : new int[] {1280, 390}) {
      browser().size(width, 844);
      browser().open(root + "table?name=long.keys");
      double narrowest =
          browser()
              .run(
                  "return Math.min(...[...document.querySelectorAll('td code.long')].map("
                      + "key => key.getBoundingClientRect().width"
                      + " / parseFloat(getComputedStyle(key).fontSize)))")
              .getAsDouble();
      assertThat(narrowest).as("em of a key at width " + width).isBetween(12.0, 60.0);
    }
  }

  @Test
  @Tag("long")
  void theKeyboardOperatesThePage() throws Exception {
    boolean skipped = false;
    for (int i = 0; i < LOST_KEYS_MAX && !skipped; i++) {
      skipped = skipsToTheContent();
    }
    assertThat(skipped).as("the first link leads to the content").isTrue();
    for (int i = 0; i < 60 && !focus("dataset.sort").equals("writes"); i++) {
      browser().press(Browser.TAB);
    }
    assertThat(browser().run("return getComputedStyle(document.activeElement).outlineStyle"))
        .as("the focus is visible")
        .hasToString("\"solid\"");
    browser().press(Browser.ENTER);
    browser()
        .await(
            "the rows are sorted",
            "return document.querySelector('#regions th[aria-sort=descending] a')?.dataset.sort"
                + " === 'writes'");
    assertThat(focus("dataset.sort")).as("the focus stays").isEqualTo("writes");
    assertThat(browser().run("return location.search").getAsString())
        .contains("regions.sort=-writes");
    assertThat(browser().errors()).isEmpty();
  }

  /**
   * Opens the page and follows its first link by keyboard. Chromium without a window sometimes
   * loses the focus between two keys, so a single failure says nothing.
   */
  private static boolean skipsToTheContent() throws Exception {
    browser().open(root + "table?name=usertable");
    browser().press(Browser.TAB);
    if (!focus("outerHTML").contains("class=\"skip\"")) {
      return false;
    }
    browser().press(Browser.ENTER);
    browser()
        .await(
            "the key has arrived",
            "return document.activeElement.id === 'main' || document.activeElement ==="
                + " document.body");
    return focus("id").equals("main");
  }

  private static String focus(String property) throws IOException {
    return browser()
        .run("return String(document.activeElement." + property + " ?? '')")
        .getAsString();
  }

  @Test
  @Tag("long")
  void aPageRefreshesItself() throws Exception {
    browser().open(root + "tables");
    browser().run("window.same = true; return true");
    try (Connection connection = server.connect()) {
      create(connection, TableName.valueOf("came.later"), new byte[0][]);
    }
    browser()
        .await("the new table is shown", "return document.body.innerText.includes('came.later')");
    assertThat(browser().run("return window.same === true").getAsBoolean()).isTrue();
    assertThat(browser().errors()).isEmpty();
  }

  @Test
  @Tag("long")
  void picturesShowThePages() throws Exception {
    browser().size(1100, 640);
    picture("", "overview.png");
    picture("events", "events.png");
    browser().dark(true);
    picture("table?name=usertable&regions.sort=-writes", "table-dark.png");
    browser().size(390, 844);
    browser().dark(false);
    picture("", "overview-phone.png");
    assertThat(PICTURES.resolve("overview.png")).isNotEmptyFile();
  }

  private static void picture(String page, String file) throws IOException {
    browser().open(root + page);
    browser().picture(PICTURES.resolve(file));
  }
}
