package dev.cairn.shell.run;

import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.util.ArrayList;
import java.util.IllegalFormatException;
import java.util.List;
import java.util.Locale;

/** Does arithmetic as Ruby does: integer division rounds down. */
final class Calculator {
  private Calculator() {}

  static Value calculate(String operator, Value left, Value right) {
    if (left instanceof Text text) {
      return ofText(operator, text, right);
    }
    if (left instanceof Value.Array array
        && right instanceof Value.Array more
        && operator.equals("+")) {
      List<Value> items = new ArrayList<>(array.items());
      items.addAll(more.items());
      return new Value.Array(items);
    }
    if (left instanceof Value.Int a && right instanceof Value.Int b) {
      return Value.of(whole(operator, a.value(), b.value()));
    }
    double a = decimal(operator, left);
    double b = decimal(operator, right);
    return new Value.Decimal(
        switch (operator) {
          case "+" -> a + b;
          case "-" -> a - b;
          case "*" -> a * b;
          case "/" -> a / b;
          default -> a - b * Math.floor(a / b);
        });
  }

  private static long whole(String operator, long a, long b) {
    try {
      return switch (operator) {
        case "+" -> Math.addExact(a, b);
        case "-" -> Math.subtractExact(a, b);
        case "*" -> Math.multiplyExact(a, b);
        case "/" -> Math.floorDiv(a, b);
        default -> Math.floorMod(a, b);
      };
    } catch (ArithmeticException e) {
      throw new ShellException(
          a + " " + operator + " " + b + (b == 0 ? ": divided by 0" : " needs more than 64 bits"));
    }
  }

  private static double decimal(String operator, Value value) {
    if (value instanceof Value.Int number) {
      return number.value();
    }
    if (value instanceof Value.Decimal number) {
      return number.value();
    }
    throw Conversions.expected("What `" + operator + "` takes", "a number", value);
  }

  private static Value ofText(String operator, Text text, Value right) {
    if (operator.equals("+") && right instanceof Text more) {
      return text.plus(more);
    }
    if (operator.equals("*") && right instanceof Value.Int count && count.value() >= 0) {
      Text result = Text.EMPTY;
      for (long i = 0; i < count.value(); i++) {
        result = result.plus(text);
      }
      return result;
    }
    if (operator.equals("%")) {
      return formatted(text, right);
    }
    throw Conversions.expected("What `" + operator + "` adds to a text", "a text", right);
  }

  private static Value formatted(Text format, Value values) {
    Object[] plain = Conversions.list(values).stream().map(Calculator::plain).toArray();
    try {
      return Text.of(String.format(Locale.ROOT, format.letters(), plain));
    } catch (IllegalFormatException e) {
      throw new ShellException(
          "The format " + format.inspected() + " does not fit " + values.inspected(), e);
    }
  }

  private static Object plain(Value value) {
    if (value instanceof Value.Int number) {
      return number.value();
    }
    return value instanceof Value.Decimal number ? number.value() : value.text().letters();
  }
}
