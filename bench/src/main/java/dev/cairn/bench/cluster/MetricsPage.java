package dev.cairn.bench.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics of a region server at one moment, as its web server shows them at {@code /jmx}. */
public final class MetricsPage {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final String text;

  private MetricsPage(String text) {
    this.text = text;
  }

  /**
   * Reads the metrics of a server.
   *
   * @param port the port of its web server
   */
  public static MetricsPage of(String host, int port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + "/jmx")).build();
    return new MetricsPage(CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }

  /**
   * Returns the sum of all attributes whose names match.
   *
   * @param name a regular expression
   */
  public long sum(String name) {
    Matcher attribute = Pattern.compile("\"" + name + "\"\\s*:\\s*(\\d+)").matcher(text);
    long sum = 0;
    while (attribute.find()) {
      sum += Long.parseLong(attribute.group(1));
    }
    return sum;
  }

  /** Tells whether there is an attribute whose name matches. */
  public boolean has(String name) {
    return Pattern.compile("\"" + name + "\"\\s*:\\s*\\d").matcher(text).find();
  }
}
