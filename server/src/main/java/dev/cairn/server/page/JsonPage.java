package dev.cairn.server.page;

import dev.cairn.server.json.JsonText;
import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.Section.Notice;
import dev.cairn.server.page.Section.TextBlock;
import dev.cairn.server.page.Section.Tiles;
import dev.cairn.server.page.Table.Column;
import dev.cairn.server.page.Table.TableSlice;
import java.io.IOException;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * Renders a page as JSON: {@code page}, {@code title}, {@code server}, {@code timeMillis}, {@code
 * notices}, and one object or list for each other section, named by its id. Stateless.
 */
final class JsonPage {
  private static final double EXACT_MAX = 1L << 53;

  private JsonPage() {}

  static String render(Page page, PageRequest request, Frame frame) {
    return JsonText.htmlSafe(
        json -> {
          json.beginObject();
          json.name("page").value(request.page());
          json.name("title").value(page.title());
          json.name("server").value(frame.server());
          json.name("timeMillis").value(frame.timeMillis());
          json.name("notices").beginArray();
          for (Section section : page.sections()) {
            if (section instanceof Notice notice) {
              json.value(notice.text());
            }
          }
          json.endArray();
          for (Section section : page.sections()) {
            write(json, section, request);
          }
          json.endObject();
        });
  }

  /** Returns the list of all pages. */
  static String index(List<PageInfo> pages) {
    return JsonText.htmlSafe(
        json -> {
          json.beginObject().name("pages").beginArray();
          for (PageInfo page : pages) {
            json.beginObject().name("page").value(page.id());
            json.name("title").value(page.title());
            json.name("path").value("/api/v1/" + page.id());
            json.name("shows").value(page.sentence());
            json.name("parameters").beginArray();
            for (PageInfo.Parameter parameter : page.parameters()) {
              json.value(parameter.name());
            }
            json.endArray().endObject();
          }
          json.endArray().endObject();
        });
  }

  /** Returns the list of all actions, with the token that a request needs if they are allowed. */
  static String actions(Actions actions) {
    return JsonText.htmlSafe(
        json -> {
          json.beginObject().name("allowed").value(actions.areAllowed());
          if (actions.areAllowed()) {
            json.name(Actions.TOKEN).value(actions.token());
          }
          json.name("actions").beginArray();
          for (Action action : actions.all()) {
            json.beginObject().name("action").value(action.id());
            json.name("title").value(action.title());
            json.name("path").value("/api/v1/" + action.address());
            json.name("does").value(action.sentence());
            json.name("parameters").beginArray();
            for (Action.Input input : action.inputs()) {
              json.value(input.name());
            }
            json.endArray().endObject();
          }
          json.endArray().endObject();
        });
  }

  /** Returns the result of an action. */
  static String done(String sentence) {
    return JsonText.htmlSafe(json -> json.beginObject().name("done").value(sentence).endObject());
  }

  /** Returns an error. */
  static String error(String message) {
    return JsonText.htmlSafe(json -> json.beginObject().name("error").value(message).endObject());
  }

  private static void write(JsonWriter json, Section section, PageRequest request)
      throws IOException {
    if (section instanceof Tiles tiles) {
      json.name(tiles.id());
      facts(json, tiles.tiles());
    } else if (section instanceof Facts facts) {
      json.name(facts.id());
      facts(json, facts.facts());
    } else if (section instanceof TextBlock block) {
      json.name(block.id()).value(block.text());
    } else if (section instanceof Timeline timeline) {
      timeline(json, timeline);
    } else if (section instanceof Table<?> table) {
      table(json, table, table.slice(request));
    } else if (section instanceof Figure figure) {
      json.name(figure.id()).beginObject();
      json.name("description").value(figure.description());
      json.name("data").beginObject();
      for (var one : figure.data().entrySet()) {
        json.name(one.getKey()).value(one.getValue());
      }
      json.endObject().endObject();
    }
  }

  private static void facts(JsonWriter json, List<Fact> facts) throws IOException {
    json.beginObject();
    for (Fact fact : facts) {
      json.name(fact.id());
      value(json, fact.value());
    }
    json.endObject();
  }

  private static void timeline(JsonWriter json, Timeline timeline) throws IOException {
    json.name(timeline.id()).beginObject();
    json.name("fromMillis").value(timeline.fromMillis());
    json.name("toMillis").value(timeline.toMillis()).name("events").beginArray();
    for (Timeline.Event event : timeline.events()) {
      json.beginObject().name("lane").value(event.lane());
      json.name("startMillis").value(event.startMillis());
      json.name("endMillis").value(event.endMillis());
      json.name("level").value(event.level().word());
      json.name("what").value(event.what()).endObject();
    }
    json.endArray().endObject();
  }

  private static void table(JsonWriter json, Table<?> table, TableSlice slice) throws IOException {
    json.name(table.id()).beginObject();
    json.name("total").value(slice.total());
    json.name("matching").value(slice.matching());
    json.name("page").value(slice.page());
    json.name("pages").value(slice.pages());
    json.name("columns").beginObject();
    for (Column<?> column : table.columns()) {
      json.name(column.id()).value(column.kind().word());
    }
    json.endObject().name("rows").beginArray();
    for (List<Value> row : slice.rows()) {
      json.beginObject();
      for (int i = 0; i < row.size(); i++) {
        json.name(table.columns().get(i).id());
        value(json, row.get(i));
      }
      json.endObject();
    }
    json.endArray().endObject();
  }

  private static void value(JsonWriter json, Value value) throws IOException {
    Value bare = value.bare();
    if (bare instanceof Value.None) {
      json.nullValue();
    } else if (bare instanceof Value.Amount amount) {
      double number = amount.number();
      if (number == Math.rint(number) && Math.abs(number) <= EXACT_MAX) {
        json.value((long) number);
      } else if (Double.isFinite(number)) {
        json.value(number);
      } else {
        json.nullValue();
      }
    } else {
      json.value(bare.shown());
    }
  }
}
