package dev.cairn.interop.web;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A browser without a window. Speaks the W3C's WebDriver protocol, and Chromium's own for emulation
 * and the console. For one thread.
 */
final class Browser implements AutoCloseable {
  static final String TAB = "\ue004";
  static final String ENTER = "\ue007";

  private static final Pattern PORT = Pattern.compile("successfully on port (\\d+)");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Process driver;
  private final HttpClient client = HttpClient.newHttpClient();
  private final String root;
  private final String session;

  private Browser(Process driver, int port, Path browser, Path profile) throws IOException {
    this.driver = driver;
    this.root = "http://127.0.0.1:" + port;
    JsonObject options = new JsonObject();
    options.addProperty("binary", browser.toString());
    options.add(
        "args",
        strings(
            "--headless=new",
            "--no-sandbox", // CI may run as root
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--hide-scrollbars",
            "--lang=en",
            "--window-size=1280,900",
            "--user-data-dir=" + profile));
    JsonObject logs = new JsonObject();
    logs.addProperty("browser", "ALL");
    JsonObject always = new JsonObject();
    always.add("goog:chromeOptions", options);
    always.add("goog:loggingPrefs", logs);
    JsonObject capabilities = new JsonObject();
    capabilities.add("alwaysMatch", always);
    JsonObject body = new JsonObject();
    body.add("capabilities", capabilities);
    this.session =
        "/session/"
            + send("POST", "/session", Optional.of(body))
                .getAsJsonObject()
                .get("sessionId")
                .getAsString();
  }

  private static JsonArray strings(String... texts) {
    JsonArray array = new JsonArray();
    Arrays.stream(texts).forEach(array::add);
    return array;
  }

  /**
   * Starts a browser; empty if this machine has none.
   *
   * @param folder where the browser may write
   */
  static Optional<Browser> start(Path folder) throws IOException {
    Optional<Path> driver = find("chromedriver");
    Optional<Path> browser =
        find("chromium").or(() -> find("chromium-browser")).or(() -> find("google-chrome"));
    if (driver.isEmpty() || browser.isEmpty()) {
      return Optional.empty();
    }
    Process process =
        new ProcessBuilder(driver.get().toString(), "--port=0").redirectErrorStream(true).start();
    boolean started = false;
    try {
      Browser created =
          new Browser(process, port(process), browser.get(), folder.resolve("profile"));
      started = true;
      return Optional.of(created);
    } finally {
      if (!started) {
        process.destroyForcibly();
      }
    }
  }

  private static Optional<Path> find(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static int port(Process process) throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher port = PORT.matcher(line);
      if (port.find()) {
        return Integer.parseInt(port.group(1));
      }
    }
    throw new IOException("chromedriver ended without naming its port");
  }

  private JsonElement send(String method, String path, Optional<JsonObject> body)
      throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(root + path))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .method(
                method,
                body.map(text -> HttpRequest.BodyPublishers.ofString(text.toString()))
                    .orElseGet(HttpRequest.BodyPublishers::noBody))
            .build();
    try {
      HttpResponse<String> answer =
          client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
      if (answer.statusCode() != 200) {
        throw new IOException(path + ": " + answer.body());
      }
      return JsonParser.parseString(answer.body()).getAsJsonObject().get("value");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  private JsonElement post(String command, JsonObject body) throws IOException {
    return send("POST", session + command, Optional.of(body));
  }

  /** Opens a page and waits until it is loaded. */
  void open(String address) throws IOException {
    JsonObject body = new JsonObject();
    body.addProperty("url", address);
    post("/url", body);
  }

  /** Runs the body of a function and returns what it returns. */
  JsonElement run(String script) throws IOException {
    return script("/execute/sync", script);
  }

  /** Runs the body of a function that gives its result to its last argument. */
  JsonElement runAndWait(String script) throws IOException {
    return script("/execute/async", script);
  }

  private JsonElement script(String command, String script) throws IOException {
    JsonObject body = new JsonObject();
    body.addProperty("script", script);
    body.add("args", new JsonArray());
    return post(command, body);
  }

  /** Runs a script in each page that is opened from now on, before its own scripts. */
  void runBeforeScripts(String script) throws IOException {
    JsonObject parameters = new JsonObject();
    parameters.addProperty("source", script);
    chromium("Page.addScriptToEvaluateOnNewDocument", parameters);
  }

  /** Returns the violations that axe finds on the open page: each rule with its first element. */
  List<String> violations() throws IOException {
    if (!run("return typeof axe === 'object'").getAsBoolean()) {
      try (InputStream axe = Browser.class.getResourceAsStream("/axe.min.js")) {
        run(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    List<String> violations = new ArrayList<>();
    for (JsonElement violation :
        runAndWait(
                "const done = arguments[arguments.length - 1]; axe.run({resultTypes:"
                    + " ['violations']}).then(found => done(found.violations.map(one => one.id + ':"
                    + " ' + one.help + ' ' + one.nodes[0].html + ' '  +"
                    + " one.nodes[0].failureSummary)))")
            .getAsJsonArray()) {
      violations.add(violation.getAsString());
    }
    return violations;
  }

  /** Waits until a function returns true. */
  void await(String what, String script) throws IOException, InterruptedException {
    try {
      Awaitility.await(what).atMost(PATIENCE).until(() -> run(script).getAsBoolean());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "This did not happen: %s; the page is %s, the focus has %s"
              .formatted(
                  what,
                  run("return location.href"),
                  run("return document.activeElement?.outerHTML?.substring(0, 200) ?? ''")),
          e);
    }
  }

  /** Presses and releases a key. */
  void press(String key) throws IOException {
    JsonArray actions = new JsonArray();
    for (String type : List.of("keyDown", "keyUp")) {
      JsonObject action = new JsonObject();
      action.addProperty("type", type);
      action.addProperty("value", key);
      actions.add(action);
    }
    JsonObject keyboard = new JsonObject();
    keyboard.addProperty("type", "key");
    keyboard.addProperty("id", "keyboard");
    keyboard.add("actions", actions);
    JsonArray all = new JsonArray();
    all.add(keyboard);
    JsonObject body = new JsonObject();
    body.add("actions", all);
    post("/actions", body);
  }

  /** Emulates a window of a phone, or of any other size. */
  void size(int width, int height) throws IOException {
    JsonObject size = new JsonObject();
    size.addProperty("width", width);
    size.addProperty("height", height);
    size.addProperty("deviceScaleFactor", 1);
    size.addProperty("mobile", width < 600);
    chromium("Emulation.setDeviceMetricsOverride", size);
  }

  /** Emulates a user who prefers dark or light colours. */
  void dark(boolean dark) throws IOException {
    JsonObject feature = new JsonObject();
    feature.addProperty("name", "prefers-color-scheme");
    feature.addProperty("value", dark ? "dark" : "light");
    JsonArray features = new JsonArray();
    features.add(feature);
    JsonObject media = new JsonObject();
    media.add("features", features);
    chromium("Emulation.setEmulatedMedia", media);
  }

  /** Gives the window the focus, even if another browser on this machine has it. */
  void focus() throws IOException {
    JsonObject enabled = new JsonObject();
    enabled.addProperty("enabled", true);
    chromium("Emulation.setFocusEmulationEnabled", enabled);
  }

  private void chromium(String command, JsonObject parameters) throws IOException {
    JsonObject body = new JsonObject();
    body.addProperty("cmd", command);
    body.add("params", parameters);
    post("/goog/cdp/execute", body);
  }

  /** Returns the errors in the console since the last time this was asked. */
  List<String> errors() throws IOException {
    JsonObject body = new JsonObject();
    body.addProperty("type", "browser");
    List<String> errors = new ArrayList<>();
    for (JsonElement entry : post("/se/log", body).getAsJsonArray()) {
      if (entry.getAsJsonObject().get("level").getAsString().equals("SEVERE")) {
        errors.add(entry.getAsJsonObject().get("message").getAsString());
      }
    }
    return errors;
  }

  /** Writes a picture of the window as PNG. */
  void picture(Path file) throws IOException {
    String data = send("GET", session + "/screenshot", Optional.empty()).getAsString();
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(data));
  }

  @Override
  public void close() throws IOException {
    try {
      send("DELETE", session, Optional.empty());
    } finally {
      driver.destroy();
    }
  }
}
