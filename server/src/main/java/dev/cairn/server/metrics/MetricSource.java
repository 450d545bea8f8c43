package dev.cairn.server.metrics;

import java.util.function.Consumer;

/**
 * Reads the values of a record, or some of them. Called when a view asks for them, on any thread,
 * by several threads at once. May wait for a second, but not for files or other machines.
 */
public interface MetricSource {
  /** Returns the name of the record. Sources with the same name write to one record. */
  RecordName name();

  /** Writes the values. */
  void collect(MetricRecord.Builder to);

  /** Returns a source. */
  static MetricSource of(RecordName name, Consumer<MetricRecord.Builder> collector) {
    return new MetricSource() {
      @Override
      public RecordName name() {
        return name;
      }

      @Override
      public void collect(MetricRecord.Builder to) {
        collector.accept(to);
      }
    };
  }
}
