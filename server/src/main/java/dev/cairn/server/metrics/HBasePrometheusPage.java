package dev.cairn.server.metrics;

import dev.cairn.server.metrics.Scope.Label;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
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
   * Reads the metrics, and returns the page part by part; the parts are for one thread at a time.
   *
   * @param help whether each series has a line of help
   */
  public Iterator<String> parts(boolean help) {
    return new Parts(registry.read().iterator(), help);
  }

  /** Renders one value at a time. */
  private static final class Parts extends PageParts {
    private final Iterator<MetricRecord> records;
    private final boolean help;
    private final Set<String> described = new HashSet<>();
    private List<Label> labels = List.of();
    private String prefix = "";
    private Iterator<HBaseAttributes.Attribute> attributes = Collections.emptyIterator();

    Parts(Iterator<MetricRecord> records, boolean help) {
      this.records = records;
      this.help = help;
    }

    @Override
    boolean hasMore() {
      return attributes.hasNext() || records.hasNext();
    }

    @Override
    void render(SeriesText text) {
      if (!attributes.hasNext()) {
        begin(records.next());
        return;
      }
      HBaseAttributes.Attribute attribute = attributes.next();
      String series = prefix + SnakeCase.of(attribute.name());
      if (described.add(series)) { // a master and a region server share some
        text.describe(
            series, attribute.kind().name().toLowerCase(Locale.ROOT), help ? attribute.help() : "");
      }
      text.sample(series, labels, attribute.value());
    }

    private void begin(MetricRecord record) {
      labels = new ArrayList<>();
      record
          .tags()
          .forEach((tag, value) -> labels.add(new Label(tag.toLowerCase(Locale.ROOT), value)));
      prefix = SnakeCase.of(record.name().prefix()) + "_";
      attributes = HBaseAttributes.of(record).iterator();
    }
  }
}
