package dev.cairn.tools.overview;

import dev.cairn.tools.overview.ClusterOverview.Node;
import dev.cairn.tools.overview.ClusterOverview.Task;
import dev.cairn.tools.overview.ClusterOverview.Transition;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** Writes the state of a cluster as one JSON object. Times are milliseconds since 1970. */
public final class OverviewJson {
  private OverviewJson() {}

  /** Returns the object, without fields of unknown value. */
  public static String of(ClusterOverview cluster) {
    JsonObject json = new JsonObject();
    json.addProperty("clusterId", cluster.clusterId());
    json.addProperty("timeMillis", cluster.timeMillis());
    JsonArray servers = new JsonArray();
    cluster.nodes().forEach(node -> servers.add(node(node)));
    json.add("servers", servers);
    json.add("dead", texts(cluster.dead()));
    JsonArray tasks = new JsonArray();
    cluster.tasks().forEach(task -> tasks.add(task(task)));
    json.add("tasks", tasks);
    JsonArray transitions = new JsonArray();
    cluster.transitions().forEach(one -> transitions.add(transition(one)));
    json.add("regionsInTransition", transitions);
    json.add("problems", texts(cluster.problems()));
    return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(json);
  }

  private static JsonObject node(Node node) {
    JsonObject json = new JsonObject();
    json.addProperty("name", node.name());
    json.addProperty("role", node.role().title());
    node.regions().ifPresent(count -> json.addProperty("regions", count));
    json.addProperty("reachable", node.unreachable().isEmpty());
    node.unreachable().ifPresent(why -> json.addProperty("unreachable", why));
    node.skewMillis().ifPresent(skew -> json.addProperty("clockSkewMillis", skew));
    node.sessionMillis().ifPresent(session -> json.addProperty("sessionMillis", session));
    json.addProperty("health", node.health());
    return json;
  }

  private static JsonObject task(Task task) {
    JsonObject json = new JsonObject();
    json.addProperty("description", task.description());
    json.addProperty("status", task.status());
    json.addProperty("sinceMillis", task.sinceMillis());
    return json;
  }

  private static JsonObject transition(Transition transition) {
    JsonObject json = new JsonObject();
    json.addProperty("region", transition.region());
    json.addProperty("state", transition.state());
    transition.server().ifPresent(server -> json.addProperty("server", server));
    json.addProperty("sinceMillis", transition.sinceMillis());
    return json;
  }

  private static JsonArray texts(List<String> lines) {
    JsonArray json = new JsonArray();
    lines.forEach(json::add);
    return json;
  }
}
