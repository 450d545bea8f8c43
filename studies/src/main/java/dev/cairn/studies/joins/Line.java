package dev.cairn.studies.joins;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** An order with its customer. */
record Line(String customer, long order, String name, String country, String product, long amount) {
  private static final Comparator<Line> ORDER =
      Comparator.comparing((Line line) -> line.customer()).thenComparing(line -> line.order());
  private static final String SEPARATOR = "\t";

  /** The amounts of a country. */
  record Sum(String country, long amount) {}

  /** Joins. */
  static Line of(Fact.Order order, Fact.Customer customer) {
    return new Line(
        order.customer(),
        order.order(),
        customer.name(),
        customer.country(),
        order.product(),
        order.amount());
  }

  /** Reads what {@link #text} wrote. */
  static Line parse(String text) {
    String[] parts = text.split(SEPARATOR);
    return new Line(
        parts[0], Long.parseLong(parts[1]), parts[2], parts[3], parts[4], Long.parseLong(parts[5]));
  }

  /** Returns the line as text of one line. */
  String text() {
    return String.join(
        SEPARATOR, customer, Long.toString(order), name, country, product, Long.toString(amount));
  }

  /** Makes the answer to a question of the lines. One thread. */
  static final class Answer implements Consumer<Line> {
    private final boolean summed;
    private final Map<String, Long> sums = new TreeMap<>();
    private final List<Line> lines = new ArrayList<>();

    Answer(boolean summed) {
      this.summed = summed;
    }

    @Override
    public void accept(Line line) {
      if (summed) {
        add(line.country(), line.amount());
      } else {
        lines.add(line);
      }
    }

    /** Adds to the amounts of a country. */
    void add(String country, long amount) {
      sums.merge(country, amount, Long::sum);
    }

    /** Tells whether only sums are collected. */
    boolean isSummed() {
      return summed;
    }

    /** Returns the lines by customer and order, or the sums by country. */
    List<?> list() {
      lines.sort(ORDER);
      return summed ? sums() : lines;
    }

    /** Returns the sums by country. */
    List<Sum> sums() {
      return sums.entrySet().stream().map(sum -> new Sum(sum.getKey(), sum.getValue())).toList();
    }
  }
}
