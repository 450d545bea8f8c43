package dev.cairn.shell.run;

import dev.cairn.shell.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The methods of values that repeat a block of statements. */
final class Loops {
  private Loops() {}

  /**
   * Runs a loop and returns its value; empty if the receiver has no such loop.
   *
   * @param body runs the block with an item and returns the block's value
   */
  static Optional<Value> run(
      Value receiver, String name, List<Value> arguments, UnaryOperator<Value> body) {
    return switch (name) {
      case "each" -> Items.of(receiver).map(items -> visited(items, body, receiver));
      case "map", "collect" ->
          Items.of(receiver).map(items -> new Value.Array(items.map(body).toList()));
      case "each_with_index" ->
          Items.of(receiver).map(items -> visited(indexed(items), body, receiver));
      case "times" ->
          receiver instanceof Value.Int count
              ? Optional.of(visited(numbers(0, count.value() - 1, 1), body, receiver))
              : Optional.empty();
      case "upto" ->
          receiver instanceof Value.Int first && arguments.size() == 1
              ? Optional.of(
                  visited(numbers(first.value(), last(arguments.get(0)), 1), body, receiver))
              : Optional.empty();
      case "step" -> step(receiver, arguments, body);
      default -> Optional.empty();
    };
  }

  private static Value visited(Stream<Value> items, UnaryOperator<Value> body, Value result) {
    items.forEachOrdered(body::apply);
    return result;
  }

  private static Stream<Value> indexed(Stream<Value> items) {
    List<Value> indexed = new ArrayList<>();
    items.forEachOrdered(
        item -> indexed.add(new Value.Array(List.of(item, Value.of(indexed.size())))));
    return indexed.stream();
  }

  /** {@code (0..100).step(10)} and {@code 0.step(100, 10)}. */
  private static Optional<Value> step(
      Value receiver, List<Value> arguments, UnaryOperator<Value> body) {
    long first;
    long last;
    if (receiver instanceof Value.Range range && arguments.size() == 1) {
      first = range.first();
      last = range.end();
    } else if (receiver instanceof Value.Int number && arguments.size() == 2) {
      first = number.value();
      last = last(arguments.get(0));
    } else {
      return Optional.empty();
    }
    long width = Conversions.number(arguments.get(arguments.size() - 1), "The width of a step");
    if (width < 1) {
      throw new ShellException("The width of a step must be 1 or more, not " + width);
    }
    return Optional.of(visited(numbers(first, last, width), body, receiver));
  }

  private static long last(Value value) {
    return Conversions.number(value, "The last number of a loop");
  }

  private static Stream<Value> numbers(long first, long last, long width) {
    return LongStream.iterate(first, i -> i <= last, i -> i + width).mapToObj(Value::of);
  }
}
