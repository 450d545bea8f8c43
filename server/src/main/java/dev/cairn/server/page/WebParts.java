package dev.cairn.server.page;

import java.util.ArrayList;
import java.util.List;

/**
 * The parts that one component adds to the web server.
 *
 * @param pages its pages
 * @param endpoints its other data
 * @param assets the files that its pages use
 * @param actions actions that operators can request
 */
public record WebParts(
    List<PageSource> pages, List<Endpoint> endpoints, List<Asset> assets, List<Action> actions) {
  /** No parts. */
  public static final WebParts NONE = new WebParts(List.of(), List.of(), List.of());

  /** Copies the lists. */
  public WebParts {
    pages = List.copyOf(pages);
    endpoints = List.copyOf(endpoints);
    assets = List.copyOf(assets);
    actions = List.copyOf(actions);
  }

  /** Creates parts without actions. */
  public WebParts(List<PageSource> pages, List<Endpoint> endpoints, List<Asset> assets) {
    this(pages, endpoints, assets, List.of());
  }

  /** Returns pages without other data and files. */
  public static WebParts of(List<PageSource> pages) {
    return new WebParts(pages, List.of(), List.of());
  }

  /** Returns these parts with actions. */
  public WebParts with(List<Action> more) {
    return new WebParts(pages, endpoints, assets, joined(actions, more));
  }

  /** Returns these parts, then {@code others}. */
  public WebParts and(WebParts others) {
    return new WebParts(
        joined(pages, others.pages),
        joined(endpoints, others.endpoints),
        joined(assets, others.assets),
        joined(actions, others.actions));
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    List<T> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }
}
