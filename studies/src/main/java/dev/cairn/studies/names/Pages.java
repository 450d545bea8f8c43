package dev.cairn.studies.names;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Asks for all views of pages, in the order of page and time.
 *
 * @param names the pages; empty for those of a section
 * @param section what their names begin with
 */
record Pages(Set<String> names, Optional<String> section) {
  /** Copies the names. */
  Pages {
    names = Set.copyOf(names);
  }

  /** Returns the views that are asked for, of all. */
  List<View> sorted(Stream<View> views) {
    return views
        .filter(
            view ->
                section.map(view.page()::startsWith).orElseGet(() -> names.contains(view.page())))
        .sorted(View.ORDER)
        .toList();
  }
}
