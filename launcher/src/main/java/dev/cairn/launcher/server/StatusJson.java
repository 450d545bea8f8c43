package dev.cairn.launcher.server;

import dev.cairn.launcher.control.StartOutput;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.launcher.process.ServerState;
import dev.cairn.launcher.process.ServerStatus;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.json.JsonText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * Writes the state of a data folder's server as one JSON object: {@code state} ({@code serving},
 * {@code starting}, {@code died}, {@code stopped}), {@code dataFolder}, and, if known, the process,
 * its addresses, its health, what it waits for when it starts, and the failure of the last start.
 * Times are milliseconds since 1970.
 */
final class StatusJson {
  private StatusJson() {}

  /**
   * Returns the object.
   *
   * @param health the report of a server that serves
   * @param notices what a server that starts waits for
   * @param failure the failure of the last start
   */
  static String of(
      ServerState state,
      Path dataFolder,
      Optional<HealthReport> health,
      List<String> notices,
      Optional<StartOutput.Failure> failure) {
    return JsonText.indented(
        json -> {
          json.beginObject().name("state").value(word(state));
          json.name("dataFolder").value(dataFolder.toString());
          if (state instanceof ServerState.Serving serving) {
            serving(serving.status(), json);
          } else if (state instanceof ServerState.Starting starting) {
            json.name("process").value(starting.process().pid());
            json.name("waits").beginArray();
            for (String line : notices) {
              json.value(line);
            }
            json.endArray();
          } else if (state instanceof ServerState.Died died) {
            json.name("process").value(died.process().pid());
          }
          if (health.isPresent()) {
            health.get().writeTo(json.name("health"));
          }
          if (failure.isPresent()) {
            json.name("lastFailure").beginObject();
            json.name("reason").value(failure.get().reason());
            json.name("time").value(failure.get().millis());
            json.name("log").value(failure.get().log().toString()).endObject();
          }
          json.endObject();
        });
  }

  private static void serving(ServerStatus status, JsonWriter json) throws IOException {
    Addresses addresses = status.addresses();
    json.name("process").value(status.process().pid());
    json.name("servingSince").value(status.servingMillis());
    json.name("zooKeeper").value(addresses.zooKeeper());
    json.name("master").value(addresses.master());
    json.name("regionServer").value(addresses.regionServer());
    if (addresses.web().isPresent()) {
      json.name("web").value(addresses.web().get());
    }
    if (status.log().isPresent()) {
      json.name("log").value(status.log().get().toString());
    }
  }

  private static String word(ServerState state) {
    if (state instanceof ServerState.Serving) {
      return "serving";
    }
    if (state instanceof ServerState.Starting) {
      return "starting";
    }
    return state instanceof ServerState.Died ? "died" : "stopped";
  }
}
