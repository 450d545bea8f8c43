package dev.cairn.server.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.Section.Notice;
import dev.cairn.server.page.Section.TextBlock;
import dev.cairn.server.page.Section.Tiles;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

/** Pages are rendered as HTML that hostile names cannot break, and as JSON with the same data. */
class PagesTest {
  private static final String HOSTILE =
      "<script>alert('1')</script>\"' onload=\"x\" & \u202e \u0000";

  private static final Frame FRAME =
      new Frame(
          "host:16000",
          List.of("Master"),
          "1.0",
          new Value.State(Level.GOOD, "ok"),
          1_700_000_000_000L);

  private static Pages pages(PageSource... sources) {
    return new Pages(WebParts.of(List.of(sources)), () -> FRAME, () -> false);
  }

  private static PageSource page(String id, Section... sections) {
    return PageSource.of(
        PageInfo.of(id, "Title of " + id, MenuGroup.CLUSTER, "A page."),
        request -> Page.of("Title of " + id, sections));
  }

  private static PageSource everything(String text) {
    return page(
        "all",
        new Tiles("tiles", List.of(new Fact("a", text, Value.state(Level.BAD, text)))),
        new Facts(
            "facts",
            text,
            List.of(
                new Fact("link", text, Value.link(text, "all", "name", text)),
                new Fact(
                    "web",
                    text,
                    new Value.WebLink(Value.text(text), URI.create("http://host:1/?%22"))))),
        Table.of("table", text, List.of(text))
            .column("name", text, Kind.NAME, Value::name)
            .text("text", text, row -> row)
            .build(),
        new Timeline(
            "events", text, 1, 2, List.of(new Timeline.Event(text, 1, 2, Level.WARN, text))),
        new TextBlock("block", text, text),
        new Figure("figure", text, text, text, "some.js", text, Map.of("source", text)),
        new Notice(Level.WARN, text));
  }

  private static JsonObject json(Pages pages, String address) {
    WebAnswer answer = pages.answer(address, Map.of());
    assertThat(answer.type()).isEqualTo("application/json");
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  @Test
  void hostileTextIsEscapedEverywhere() {
    String plain = pages(everything("plain")).answer("/all", Map.of()).body();
    String hostile =
        pages(everything(HOSTILE))
            .answer("/all", Map.of("table.filter", HOSTILE, HOSTILE, HOSTILE))
            .body();
    assertThat(hostile).doesNotContain("<script>", "alert('", "onload=\"", "\u202e", "\u0000");
    // The filter adds its form, and the rest has the same elements.
    String form = hostile.substring(hostile.indexOf("<form"), hostile.indexOf("</form>"));
    assertThat(tags(hostile.replace(form, ""))).isEqualTo(tags(plain) + 1);
  }

  @Test
  void aPageOfTenThousandRowsRendersFiftyAndReadsOnlyTheSortedColumnOfTheOthers() {
    AtomicInteger values = new AtomicInteger();
    Table.Builder<Integer> table =
        Table.of("rows", "Rows", IntStream.range(0, 10_000).boxed().toList()).sortedBy("-c0");
    for (int column = 0; column < 12; column++) {
      table.count("c" + column, "Column " + column, row -> row + 0 * values.incrementAndGet());
    }
    String html = pages(page("many", table.build())).answer("/many", Map.of()).body();
    assertThat(html.split("<tr>", -1)).hasSize(1 + 1 + Table.SIZE);
    assertThat(html).contains("9,999", "9,950").doesNotContain("9,949").hasSizeLessThan(60_000);
    assertThat(values.get()).isEqualTo(10_000 + 12 * Table.SIZE);
  }

  private static long tags(String html) {
    return html.chars().filter(c -> c == '<').count();
  }

  @Test
  void readersWithoutScriptsSeeThePictureOfAFigure() {
    Map<String, String> none = Map.of();
    Figure figure = new Figure("map", "Map", "A map.", "map", "map.js", "api/v1/map?as=png", none);
    assertThat(pages(page("map", figure)).answer("/map", none).body())
        .contains("<noscript><img src=\"api/v1/map?as=png\" alt=\"Map\"></noscript>");
    figure = new Figure("map", "Map", "A map.", "map", "map.js", "", none);
    assertThat(pages(page("map", figure)).answer("/map", none).body()).doesNotContain("noscript");
  }

  @Test
  void aLinkRunsNoScript() {
    assertThatThrownBy(() -> new Value.WebLink(Value.text("x"), URI.create("javascript:alert(1)")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void jsonHasTheDataOfThePage() {
    Table<Long> table =
        Table.of("rows", "Rows", List.of(3L, 1L, 2L))
            .column("key", "Key", Kind.NAME, row -> Value.name("key" + row))
            .bytes("size", "Size", row -> row * 1024)
            .column("share", "Share", Kind.RATIO, row -> row == 2 ? Value.NONE : Value.ratio(0.25))
            .build();
    Pages pages = pages(page("things", table, new Notice(Level.WARN, "Look.")));
    Map<String, String> sorted = Map.of("rows.sort", "-size");
    JsonObject json =
        JsonParser.parseString(pages.answer("/api/v1/things", sorted).body()).getAsJsonObject();
    assertThat(json.get("server").getAsString()).isEqualTo("host:16000");
    assertThat(json.get("timeMillis").getAsLong()).isEqualTo(1_700_000_000_000L);
    assertThat(json.get("notices").toString()).isEqualTo("[\"Look.\"]");
    assertThat(json.get("rows").toString())
        .isEqualTo(
            "{\"total\":3,\"matching\":3,\"page\":1,\"pages\":1,"
                + "\"columns\":{\"key\":\"name\",\"size\":\"bytes\",\"share\":\"ratio\"},\"rows\":["
                + "{\"key\":\"key3\",\"size\":3072,\"share\":0.25},"
                + "{\"key\":\"key2\",\"size\":2048,\"share\":null},"
                + "{\"key\":\"key1\",\"size\":1024,\"share\":0.25}]}");
    String html = pages.answer("/things", sorted).body();
    assertThat(html).contains("Look.", "2.0 KiB", "25.0 %");
    assertThat(html.indexOf("key3")).isLessThan(html.indexOf("key2"));
    assertThat(html.indexOf("key2")).isLessThan(html.indexOf("key1"));
  }

  @Test
  void tablesAreReadableForScreenReaders() {
    Table<String> table = Table.of("rows", "Rows", List.of("a")).text("t", "T", r -> r).build();
    String html = pages(page("things", table)).answer("/things", Map.of("rows.sort", "t")).body();
    assertThat(html)
        .contains(
            "<html lang=\"en\">",
            "<caption class=\"unseen\">Rows: 1 of 1 rows, sorted by T</caption>",
            "<th scope=\"col\" aria-sort=\"ascending\">",
            "<th scope=\"row\">a</th>",
            "aria-current=\"page\"");
  }

  @Test
  void unknownAddressesAreNotFound() {
    Pages pages = pages(page("things"));
    for (String address : List.of("/nothing", "/a/b/c", "/static/x.css", "", "/things/")) {
      WebAnswer answer = pages.answer(address, Map.of());
      assertThat(answer.code()).as(address).isEqualTo(404);
      assertThat(answer.type()).isEqualTo("text/html");
    }
    assertThat(pages.answer("/a/b/c", Map.of()).body()).contains("href=\"../../static/cairn.css\"");
    assertThat(pages.answer("/api/v1/nothing", Map.of()).code()).isEqualTo(404);
    assertThat(json(pages, "/api/v1/nothing").has("error")).isTrue();
  }

  @Test
  void aPageTellsWhyItCannotBeShown() {
    Pages pages =
        pages(
            PageSource.of(
                PageInfo.of("one", "One", MenuGroup.CLUSTER, "One.").with("name", "its name", true),
                request -> {
                  throw PageException.notFound("No " + request.require("name"));
                }));
    assertThat(pages.answer("/one", Map.of()).code()).isEqualTo(400);
    assertThat(pages.answer("/one", Map.of()).body()).contains("the parameter &#39;name&#39;");
    assertThat(pages.answer("/one", Map.of("name", "<b>")).code()).isEqualTo(404);
    assertThat(pages.answer("/one", Map.of("name", "<b>")).body()).contains("No &lt;b&gt;");
    assertThat(pages.answer("/api/v1/one", Map.of("name", "x")).body())
        .contains("\"error\":\"No x\"");
  }

  @Test
  void theApiListsAllPages() {
    Pages pages = pages(page("one"), page("two"));
    assertThat(json(pages, "/api/v1").getAsJsonArray("pages")).hasSize(2);
    assertThat(pages.answer("/api/v1/", Map.of()).body())
        .contains("\"path\":\"/api/v1/one\"", "\"path\":\"/api/v1/two\"");
  }

  @Test
  void twoPartsWithOneAddressAreRefused() {
    assertThatThrownBy(() -> pages(page("one"), page("one"))).hasMessageContaining("one");
  }

  @Test
  void tenThousandRowsAreAsMuchWorkAsOnePage() {
    int[] read = {0};
    Table<Integer> table =
        Table.of("rows", "Rows", IntStream.range(0, 10_000).boxed().toList())
            .count("number", "Number", row -> row)
            .column(
                "name",
                "Name",
                Kind.NAME,
                row -> {
                  read[0]++;
                  return Value.name("row" + row);
                })
            .build();
    Pages pages = pages(page("things", table));
    String html = pages.answer("/things", Map.of("rows.sort", "-number")).body();
    assertThat(html).contains("row9999", "row9950", "Page 1 of 200").doesNotContain("row9949<");
    assertThat(read[0]).isEqualTo(Table.SIZE);
    assertThat(html.length()).isLessThan(20_000);
    String most = pages.answer("/things", Map.of("rows.size", "999999")).body();
    assertThat(most).contains("row999<", "Page 1 of 10").doesNotContain("row1000<");
  }
}
