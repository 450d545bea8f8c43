package dev.cairn.shell.run;

import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.util.List;
import java.util.Locale;

/** Converts values to Java types; reports the expected type in errors. */
public final class Conversions {
  private Conversions() {}

  /**
   * Returns a string's characters; converts numbers and symbols to strings, and tables to their
   * names.
   *
   * @param what the meaning of the value, for messages
   */
  public static String letters(Value value, String what) {
    return value instanceof Value.TableReference table ? table.name() : text(value, what).letters();
  }

  /** Returns a string's bytes; converts numbers and symbols to strings. */
  public static byte[] bytes(Value value, String what) {
    return text(value, what).bytes();
  }

  private static Text text(Value value, String what) {
    if (value instanceof Text
        || value instanceof Value.Symbol
        || value instanceof Value.Int
        || value instanceof Value.Decimal
        || value instanceof Value.Bool) {
      return value.text();
    }
    throw expected(what, "a text", value);
  }

  /** Returns an integer; converts a string of digits. */
  public static long number(Value value, String what) {
    if (value instanceof Value.Int number) {
      return number.value();
    }
    if (value instanceof Text text) {
      try {
        return Long.parseLong(text.letters().trim());
      } catch (NumberFormatException e) {
        throw expected(what, "a whole number", value);
      }
    }
    throw expected(what, "a whole number", value);
  }

  /** Returns a 32-bit integer. */
  public static int integer(Value value, String what) {
    long number = number(value, what);
    if (number != (int) number) {
      throw new ShellException(what + " is " + number + ", beyond 32 bits");
    }
    return (int) number;
  }

  /** Returns a boolean; converts the strings {@code 'true'} and {@code 'false'}. */
  public static boolean bool(Value value, String what) {
    if (value instanceof Value.Bool bool) {
      return bool.value();
    }
    if (value instanceof Text text
        && List.of("true", "false").contains(text.letters().toLowerCase(Locale.ROOT))) {
      return Boolean.parseBoolean(text.letters());
    }
    throw expected(what, "true or false", value);
  }

  /** Returns the items of an array, or the value itself as the only item. */
  public static List<Value> list(Value value) {
    return value instanceof Value.Array array ? array.items() : List.of(value);
  }

  /** Returns a hash. */
  public static Options hash(Value value, String what) {
    if (value instanceof Value.Hash hash) {
      return new Options(hash);
    }
    throw expected(what, "a hash { KEY => value }", value);
  }

  /** Returns the error for a value of the wrong type. */
  public static ShellException expected(String what, String expected, Value found) {
    return new ShellException(
        what
            + " must be "
            + expected
            + ", not "
            + (found.equals(Value.NIL) ? "nil" : found.kind() + ": " + found.inspected()));
  }
}
