package dev.cairn.server.metrics;

import dev.cairn.server.metrics.Scope.Label;
import java.util.List;

/** Writes time series in Prometheus' text format. One thread. */
final class SeriesText {
  private final StringBuilder text = new StringBuilder(PageParts.PART_CHARS + 1024);

  /** Writes the type of a series, and its help unless that is empty. */
  void describe(String series, String type, String help) {
    if (!help.isEmpty()) {
      text.append("# HELP ").append(series).append(' ');
      escape(help, false);
      text.append('\n');
    }
    text.append("# TYPE ").append(series).append(' ').append(type).append('\n');
  }

  /** Writes one value. */
  void sample(String series, List<Label> labels, Number value) {
    text.append(series);
    char divider = '{';
    for (Label label : labels) {
      text.append(divider).append(label.name()).append("=\"");
      escape(label.value(), true);
      text.append('"');
      divider = ',';
    }
    text.append(labels.isEmpty() ? " " : "} ");
    if (value instanceof Double decimal) {
      text.append(number(decimal));
    } else {
      text.append(value.longValue());
    }
    text.append('\n');
  }

  /** Returns a number in Prometheus' form. */
  static String number(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private void escape(String value, boolean inQuotes) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\' || c == '"' && inQuotes) {
        text.append('\\').append(c);
      } else if (c == '\n') {
        text.append("\\n");
      } else {
        text.append(c);
      }
    }
  }

  /** Returns the number of characters since {@link #take}. */
  int length() {
    return text.length();
  }

  /** Returns the text written since the last call. */
  String take() {
    String taken = text.toString();
    text.setLength(0);
    return taken;
  }
}
