package dev.cairn.server.metrics;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Renders all metrics as HBase 2.6 does at {@code /prometheus}. Thread-safe. */
public final class HBasePrometheusPage {
  private final MetricRegistry registry;

  /** Creates the page. */
  public HBasePrometheusPage(MetricRegistry registry) {
    this.registry = registry;
  }

  /**
   * Returns the page.
   *
   * @param help whether each series has a line of help
   */
  public String text(boolean help) {
    SeriesText text = new SeriesText();
    Set<String> described = new HashSet<>();
    for (MetricRecord record : registry.read()) {
      List<Label> labels = new ArrayList<>();
      record
          .tags()
          .forEach((tag, value) -> labels.add(new Label(tag.toLowerCase(Locale.ROOT), value)));
      String prefix = SnakeCase.of(record.name().prefix()) + "_";
      for (HBaseAttributes.Attribute attribute : HBaseAttributes.of(record)) {
        String series = prefix + SnakeCase.of(attribute.name());
        if (described.add(series)) { // a master and a region server share some
          text.describe(
              series,
              attribute.kind().name().toLowerCase(Locale.ROOT),
              help ? attribute.help() : "");
        }
        text.sample(series, labels, attribute.value());
      }
    }
    return text.toString();
  }
}
