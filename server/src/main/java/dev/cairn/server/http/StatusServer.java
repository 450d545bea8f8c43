package dev.cairn.server.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.cairn.server.config.ConfigException;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Serves the status page at {@code /} and a health check at {@code /health}. Where HBase's shell
 * asks for the tasks that a server works on, {@code /rs-status?format=json}, the list is empty:
 * Cairn keeps none.
 */
public final class StatusServer implements Closeable {
  private final HttpServer server;

  private StatusServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts serving.
   *
   * @param address where to listen; port 0 for any free one
   * @param status gives what to show, at each request
   * @param executor runs the requests
   * @throws ConfigException if the port is in use
   */
  public static StatusServer start(
      InetSocketAddress address, Supplier<ServerStatus> status, Executor executor)
      throws IOException {
    HttpServer server;
    try {
      server = HttpServer.create(address, 0);
    } catch (BindException e) {
      throw new ConfigException(
          "The port "
              + address.getPort()
              + " of the web page (hbase.master.info.port) is in use: "
              + e.getMessage(),
          e);
    }
    server.setExecutor(executor);
    server.createContext("/", exchange -> answer(exchange, status));
    server.start();
    return new StatusServer(server);
  }

  /** Returns where the server listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private static void answer(HttpExchange exchange, Supplier<ServerStatus> status)
      throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      switch (path) {
        case "/", "/index.html", "/master-status", "/rs-status" -> {
          if (asksForJson(exchange)) {
            send(exchange, 200, "application/json; charset=utf-8", "[]\n");
          } else {
            send(exchange, 200, "text/html; charset=utf-8", StatusPage.render(status.get()));
          }
        }
        case "/health" -> send(exchange, 200, "text/plain; charset=utf-8", "ok\n");
        default ->
            send(
                exchange,
                404,
                "text/plain; charset=utf-8",
                "There is nothing at this address. See / and /health.\n");
      }
    }
  }

  private static boolean asksForJson(HttpExchange exchange) {
    String query = exchange.getRequestURI().getQuery();
    return query != null && Arrays.asList(query.split("&")).contains("format=json");
  }

  private static void send(HttpExchange exchange, int code, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(code, head ? -1 : bytes.length);
    if (!head) {
      exchange.getResponseBody().write(bytes);
    }
  }
}
