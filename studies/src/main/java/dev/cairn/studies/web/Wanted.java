package dev.cairn.studies.web;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Asks for pages, in the order of domain and path.
 *
 * @param domain whose pages are wanted, and those of the domains below it
 * @param path if only this page of the domain is wanted
 */
record Wanted(String domain, Optional<String> path) {
  /** Returns the wanted ones of some pages. */
  List<Page> sorted(Stream<Page> pages) {
    return pages.filter(this::contains).sorted(Page.ORDER).toList();
  }

  private boolean contains(Page page) {
    return path.map(one -> page.path().equals(one) && page.domain().equals(domain))
        .orElseGet(() -> page.domain().equals(domain) || page.domain().endsWith("." + domain));
  }

  /** Returns whether the domain is one of the first level. */
  boolean isTop() {
    return domain.indexOf('.') < 0;
  }
}
