package dev.cairn.server.page;

import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.Section.Notice;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * All pages of a web server, by their addresses: {@code /ID} as HTML, {@code /api/v1/ID} as JSON,
 * {@code /static/NAME} for the files that they use. {@code /actions/ID} asks for the confirmation
 * of an {@link Action}; it acts by POST only. Thread-safe if its sources are.
 */
public final class Pages {
  private static final String API = "/api/v1/";
  private static final String STATIC = "/static/";
  private static final String ACTIONS = "actions/";

  private final Map<String, PageSource> pages = new LinkedHashMap<>();
  private final Map<String, String> aliases = new HashMap<>();
  private final Map<String, Endpoint> endpoints = new LinkedHashMap<>();
  private final Map<String, Asset> assets = new HashMap<>();
  private final Supplier<Frame> frame;
  private final Actions actions;

  /**
   * Creates the pages.
   *
   * @param frame returns the header and footer of a page; called for each request
   * @param actsAllowed whether the settings allow actions; called for each request
   * @throws IllegalArgumentException if two parts have the same address
   */
  public Pages(WebParts parts, Supplier<Frame> frame, BooleanSupplier actsAllowed) {
    this.frame = frame;
    this.actions = new Actions(parts.actions(), actsAllowed);
    for (PageSource page : parts.pages()) {
      PageInfo info = page.info();
      once(pages.putIfAbsent(info.id(), page), info.id());
      info.aliases().forEach(alias -> once(aliases.putIfAbsent(alias, info.id()), alias));
    }
    for (Endpoint endpoint : parts.endpoints()) {
      once(endpoints.putIfAbsent(endpoint.path(), endpoint), endpoint.path());
    }
    List.of("cairn.css", "cairn.js", "cairn.svg").forEach(this::addOwn);
    parts.assets().forEach(this::add);
  }

  private void addOwn(String name) {
    add(Asset.of(Pages.class, name));
  }

  private void add(Asset asset) {
    once(assets.putIfAbsent(asset.name(), asset), asset.name());
  }

  private static void once(Object before, String address) {
    if (before != null) {
      throw new IllegalArgumentException("Two parts of the web server have " + address);
    }
  }

  /** Returns all pages, in the order of the menu. */
  public List<PageInfo> infos() {
    return pages.values().stream().map(PageSource::info).toList();
  }

  /** Returns all addresses that are not pages. */
  public List<Endpoint> endpoints() {
    return List.copyOf(endpoints.values());
  }

  /**
   * Answers a request.
   *
   * @param path the path, beginning with a slash
   * @param parameters the decoded parameters
   */
  public WebAnswer answer(String path, Map<String, String> parameters) {
    Asset asset = path.startsWith(STATIC) ? assets.get(path.substring(STATIC.length())) : null;
    if (asset != null) {
      return new WebAnswer(200, asset.type(), asset.text(), true);
    }
    Optional<Endpoint> endpoint = endpoint(path);
    if (endpoint.isPresent()) {
      return data(endpoint.get(), new PageRequest(decoded(path.substring(1)), parameters));
    }
    if (path.equals("/api/v1") || path.equals(API)) {
      return WebAnswer.json(200, JsonPage.index(infos()));
    }
    if (path.equals(API + "actions")) {
      return WebAnswer.json(200, JsonPage.actions(actions));
    }
    if (path.startsWith("/" + ACTIONS) || path.startsWith(API + ACTIONS)) {
      return confirmation(path, parameters);
    }
    return path.startsWith(API)
        ? json(path.substring(API.length()), parameters)
        : html(path, parameters);
  }

  private WebAnswer confirmation(String path, Map<String, String> values) {
    Optional<Action> action = action(path);
    if (action.isEmpty()) {
      return refusal(path, 404, "There is no such action; see /api/v1/actions.");
    }
    if (path.startsWith(API)) {
      return refusal(path, 400, "Actions are done by POST only.");
    }
    int status = actions.areAllowed() ? 200 : 403;
    return page(status, actions.confirmation(action.get(), values), path);
  }

  /**
   * Answers a request by POST: does the action at this address.
   *
   * @param form the decoded parameters of the body
   */
  public WebAnswer act(String path, Map<String, String> form, WebSender sender) {
    Optional<Action> action = action(path);
    if (action.isEmpty()) {
      return refusal(path, 405, "Only GET and HEAD are allowed at this address.");
    }
    String server = frame.get().server();
    try {
      int port = server.lastIndexOf(':');
      String host = port < 0 ? server : server.substring(0, port);
      String done = actions.act(action.get(), form, sender, host);
      if (path.startsWith(API)) {
        return WebAnswer.json(200, JsonPage.done(done));
      }
      Facts next =
          new Facts(
              "next",
              "Go on",
              List.of(
                  new Fact(
                      "back",
                      "Back to",
                      new Value.Link(
                          Value.text(action.get().back()),
                          "../" + action.get().back(),
                          Map.of()))));
      return page(200, Page.of(action.get().title(), new Notice(Level.GOOD, done), next), path);
    } catch (PageException e) {
      return refusal(path, e.status(), e.getMessage());
    }
  }

  private Optional<Action> action(String path) {
    String start = path.startsWith(API) ? API + ACTIONS : "/" + ACTIONS;
    return path.startsWith(start) ? actions.find(path.substring(start.length())) : Optional.empty();
  }

  private WebAnswer refusal(String path, int status, String message) {
    return path.startsWith(API)
        ? WebAnswer.json(status, JsonPage.error(message))
        : error(status, message, path);
  }

  private Optional<Endpoint> endpoint(String path) {
    int end = path.lastIndexOf('/') + 1;
    return Optional.ofNullable(endpoints.getOrDefault(path, endpoints.get(path.substring(0, end))));
  }

  private static String decoded(String path) {
    try {
      return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return path;
    }
  }

  private Optional<PageSource> find(String id) {
    return Optional.ofNullable(pages.get(aliases.getOrDefault(id, id)));
  }

  private static PageRequest request(PageSource source, Map<String, String> parameters) {
    return new PageRequest(source.info().id(), parameters);
  }

  private static WebAnswer data(Endpoint endpoint, PageRequest request) {
    try {
      Endpoint.Content content = endpoint.reply().to(request);
      return new WebAnswer(200, content.type(), content.bytes(), false);
    } catch (PageException e) {
      return WebAnswer.json(e.status(), JsonPage.error(e.getMessage()));
    }
  }

  private WebAnswer json(String id, Map<String, String> parameters) {
    Optional<PageSource> source = find(id);
    if (source.isEmpty()) {
      return WebAnswer.json(404, JsonPage.error("There is no such page; see /api/v1."));
    }
    try {
      PageRequest request = request(source.get(), parameters);
      return WebAnswer.json(
          200, JsonPage.render(source.get().build(request), request, frame.get()));
    } catch (PageException e) {
      return WebAnswer.json(e.status(), JsonPage.error(e.getMessage()));
    }
  }

  private WebAnswer html(String path, Map<String, String> parameters) {
    String id = path.equals("/") ? PageInfo.OVERVIEW : path.substring(Math.min(1, path.length()));
    Optional<PageSource> source = find(id);
    if (source.isEmpty()) {
      return error(404, "There is no page at this address.", path);
    }
    try {
      PageRequest request = request(source.get(), parameters);
      Page page = source.get().build(request);
      return WebAnswer.html(200, HtmlPage.render(page, infos(), request, frame.get(), root(path)));
    } catch (PageException e) {
      return error(e.status(), e.getMessage(), path);
    }
  }

  private WebAnswer error(int status, String message, String path) {
    String title =
        switch (status) {
          case 404 -> "Not found";
          case 403 -> "Not allowed";
          default -> "This page cannot be shown";
        };
    return page(status, Page.of(title, new Notice(Level.WARN, message)), path);
  }

  private WebAnswer page(int status, Page page, String path) {
    PageRequest request = new PageRequest("", Map.of());
    return WebAnswer.html(status, HtmlPage.render(page, infos(), request, frame.get(), root(path)));
  }

  /** Returns the relative address of the overview from another address. */
  private static String root(String path) {
    int depth = (int) path.chars().filter(c -> c == '/').count() - 1;
    return "../".repeat(Math.max(0, Math.min(depth, 20)));
  }
}
