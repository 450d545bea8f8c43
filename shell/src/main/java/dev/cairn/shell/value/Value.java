package dev.cairn.shell.value;

import java.util.List;
import java.util.Map;

/** A value of the shell's language. Immutable. */
public sealed interface Value
    permits Text,
        Value.Nil,
        Value.Bool,
        Value.Int,
        Value.Decimal,
        Value.Symbol,
        Value.Array,
        Value.Hash,
        Value.Range,
        Value.TextRange,
        Value.TableReference {
  /** The only {@link Nil}. */
  Value NIL = new Nil();

  /** Returns the value as Ruby's {@code inspect} writes it: texts in quotes, {@code nil}. */
  default String inspected() {
    return Inspection.of(this);
  }

  /** Returns the value as {@code puts} and {@code #{…}} write it. */
  default Text text() {
    return Text.of(inspected());
  }

  /** Returns the type of the value, for messages: "a text", "a number". */
  String kind();

  /** The value {@code nil}. */
  record Nil() implements Value {
    @Override
    public Text text() {
      return Text.EMPTY;
    }

    @Override
    public String kind() {
      return "nil";
    }
  }

  /** {@code true} or {@code false}. */
  record Bool(boolean value) implements Value {
    @Override
    public String kind() {
      return Boolean.toString(value);
    }
  }

  /** A 64-bit integer. */
  record Int(long value) implements Value {
    @Override
    public String kind() {
      return "a number";
    }
  }

  /** A floating-point number. */
  record Decimal(double value) implements Value {
    @Override
    public String kind() {
      return "a number with a fraction";
    }
  }

  /** A symbol: the name without its colon. */
  record Symbol(String name) implements Value {
    @Override
    public Text text() {
      return Text.of(name);
    }

    @Override
    public String kind() {
      return "a symbol";
    }
  }

  /** An array. */
  record Array(List<Value> items) implements Value {
    /** Copies the items. */
    public Array {
      items = List.copyOf(items);
    }

    @Override
    public String kind() {
      return "an array";
    }
  }

  /** A hash, in the order of the source. The map must not change. */
  record Hash(Map<Value, Value> entries) implements Value {
    @Override
    public String kind() {
      return "a hash";
    }
  }

  /** A range of integers; {@code through} tells whether the range includes {@code last}. */
  record Range(long first, long last, boolean through) implements Value {
    /** Returns the last integer of the range, if it is not empty. */
    public long end() {
      return through ? last : last - 1;
    }

    @Override
    public String kind() {
      return "a range";
    }
  }

  /**
   * A range of strings in Ruby's order: {@code a, b, … z, aa}. Both ends are ASCII letters and
   * digits; {@code through} tells whether the range includes {@code last}.
   */
  record TextRange(String first, String last, boolean through) implements Value {
    @Override
    public Text text() {
      return Text.of(first + sign(through) + last);
    }

    @Override
    public String kind() {
      return "a range";
    }
  }

  /** A table as {@code get_table} and {@code create} return it. */
  record TableReference(String name) implements Value {
    @Override
    public String kind() {
      return "a table";
    }
  }

  /** Returns the operator between the ends of the range. */
  static String sign(boolean through) {
    return through ? ".." : "...";
  }

  /** Returns {@code true} or {@code false} as a value. */
  static Value of(boolean value) {
    return new Bool(value);
  }

  /** Returns a number as a value. */
  static Value of(long value) {
    return new Int(value);
  }

  /** Returns names as an array of texts. */
  static Value texts(List<String> names) {
    return new Array(names.stream().<Value>map(Text::of).toList());
  }
}
