package dev.cairn.coprocessor.opening;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** Reads what a server shows to its users. */
final class Shown {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private Shown() {}

  private static JsonObject get(CairnServer server, String address) {
    URI uri =
        URI.create("http://localhost:" + server.web().orElseThrow().getPort() + "/" + address);
    try {
      return JsonParser.parseString(
              CLIENT
                  .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                  .body())
          .getAsJsonObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the status and the message of a check of the health. */
  static String health(CairnServer server, String check) {
    for (JsonElement one : get(server, "health?format=json").getAsJsonArray("checks")) {
      JsonObject entry = one.getAsJsonObject();
      if (entry.get("name").getAsString().equals(check)) {
        return entry.get("status").getAsString() + ": " + entry.get("message").getAsString();
      }
    }
    return "no such check";
  }

  /** Returns the rows of a table of a page, as texts. */
  static List<String> rows(CairnServer server, String page, String part) {
    List<String> rows = new ArrayList<>();
    for (JsonElement row :
        get(server, "api/v1/" + page + "?" + part + ".size=1000")
            .getAsJsonObject(part)
            .getAsJsonArray("rows")) {
      rows.add(row.toString());
    }
    return rows;
  }
}
