package dev.cairn.server.page;

import java.util.ArrayList;
import java.util.List;

/**
 * What one part of the server adds to the web server.
 *
 * @param pages its pages
 * @param endpoints its other data
 * @param assets the files that its pages use
 */
public record WebParts(List<PageSource> pages, List<Endpoint> endpoints, List<Asset> assets) {
  /** Nothing. */
  public static final WebParts NONE = new WebParts(List.of(), List.of(), List.of());

  /** Copies the lists. */
  public WebParts {
    pages = List.copyOf(pages);
    endpoints = List.copyOf(endpoints);
    assets = List.copyOf(assets);
  }

  /** Returns pages without other data and files. */
  public static WebParts of(List<PageSource> pages) {
    return new WebParts(pages, List.of(), List.of());
  }

  /** Returns these parts, then {@code others}. */
  public WebParts and(WebParts others) {
    return new WebParts(
        joined(pages, others.pages),
        joined(endpoints, others.endpoints),
        joined(assets, others.assets));
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    List<T> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }
}
