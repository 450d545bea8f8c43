package dev.cairn.shell.run;

import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The methods of values other than tables, which scripts use to format names and numbers. */
final class Methods {
  private Methods() {}

  /** Calls a method and returns its result; empty if the value has no such method. */
  static Optional<Value> call(Value receiver, String name, List<Value> arguments) {
    return Optional.ofNullable(
        switch (name) {
          case "to_s" -> arguments.isEmpty() ? receiver.text() : digits(receiver, arguments.get(0));
          case "to_a" -> Items.array(receiver).orElse(null);
          case "join" ->
              receiver instanceof Value.Array array
                  ? Items.joined(
                      array,
                      arguments.isEmpty()
                          ? ""
                          : Conversions.letters(arguments.get(0), "The separator"))
                  : null;
          case "chr" -> receiver instanceof Value.Int number ? letter(number.value()) : null;
          case "inspect" -> Text.of(receiver.inspected());
          case "to_i" -> number(receiver);
          case "size", "length", "count" -> size(receiver);
          case "name" ->
              receiver instanceof Value.TableReference table ? Text.of(table.name()) : null;
          case "rjust", "ljust" ->
              receiver instanceof Text text ? padded(text, name, arguments) : null;
          case "upcase" ->
              receiver instanceof Text text
                  ? Text.of(text.letters().toUpperCase(Locale.ROOT))
                  : null;
          case "downcase" ->
              receiver instanceof Text text
                  ? Text.of(text.letters().toLowerCase(Locale.ROOT))
                  : null;
          case "first" -> receiver instanceof Value.Array ? item(receiver, Value.of(0)) : null;
          case "last" -> receiver instanceof Value.Array ? item(receiver, Value.of(-1)) : null;
          default -> null;
        });
  }

  private static Value number(Value value) {
    if (value instanceof Value.Decimal number) {
      return Value.of((long) number.value());
    }
    return value instanceof Value.Int || value instanceof Text
        ? Value.of(Conversions.number(value, "The number"))
        : null;
  }

  private static Value digits(Value value, Value radix) {
    int base = Conversions.integer(radix, "The base of `.to_s`");
    if (base < Character.MIN_RADIX || base > Character.MAX_RADIX) {
      throw new ShellException("The base of `.to_s` must be 2 to 36, not " + base);
    }
    return value instanceof Value.Int number ? Text.of(Long.toString(number.value(), base)) : null;
  }

  private static Value letter(long code) {
    if (code < 0 || code > 255) {
      throw new ShellException(code + " is out of the range of a byte, 0 to 255");
    }
    return Text.of(new byte[] {(byte) code});
  }

  private static Value size(Value value) {
    if (value instanceof Text text) {
      String letters = text.letters();
      return Value.of(letters.codePointCount(0, letters.length()));
    } else if (value instanceof Value.Array array) {
      return Value.of(array.items().size());
    } else if (value instanceof Value.Hash hash) {
      return Value.of(hash.entries().size());
    }
    return value instanceof Value.Range range
        ? Value.of(Math.max(0, range.end() - range.first() + 1))
        : value instanceof Value.TextRange ? Value.of(Items.of(value).orElseThrow().count()) : null;
  }

  private static Value padded(Text text, String name, List<Value> arguments) {
    if (arguments.isEmpty()) {
      throw new ShellException("`." + name + "` needs a width");
    }
    int width = Conversions.integer(arguments.get(0), "The width of `." + name + "`");
    String fill = arguments.size() > 1 ? Conversions.letters(arguments.get(1), "The filling") : " ";
    String letters = text.letters();
    if (fill.isEmpty() || width <= letters.length()) {
      return text;
    }
    int missing = width - letters.length();
    String filling = fill.repeat(missing / fill.length() + 1).substring(0, missing);
    return Text.of(name.equals("rjust") ? filling + letters : letters + filling);
  }

  /** Returns an item of an array or a hash; {@code nil} if there is none. */
  static Value item(Value whole, Value key) {
    if (whole instanceof Value.Array array) {
      long index = Conversions.number(key, "The index of an array");
      long at = index < 0 ? array.items().size() + index : index;
      return at >= 0 && at < array.items().size() ? array.items().get((int) at) : Value.NIL;
    }
    if (whole instanceof Value.Hash hash) {
      return hash.entries().getOrDefault(key, Value.NIL);
    }
    throw Conversions.expected("What has items", "an array or a hash", whole);
  }
}
