package dev.cairn.bench.failover;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks the web server of a region server for its metrics. */
final class ServerFigures {
  private static final Pattern MISSES = Pattern.compile("\"blockCacheMissCount\"\\s*:\\s*(\\d+)");

  private ServerFigures() {}

  /** Returns how many blocks reads did not find in the cache; empty if the server does not tell. */
  static OptionalLong cacheMisses(String host, int port) throws IOException, InterruptedException {
    if (port <= 0) {
      return OptionalLong.empty();
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + "/jmx")).build();
    Matcher misses =
        MISSES.matcher(
            HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
    return misses.find() ? OptionalLong.of(Long.parseLong(misses.group(1))) : OptionalLong.empty();
  }
}
