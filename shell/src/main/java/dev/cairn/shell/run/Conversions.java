package dev.cairn.shell.run;

import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.util.List;
import java.util.Locale;

/** Makes Java's types of values, or says which value was expected. */
public final class Conversions {
  private Conversions() {}

  /**
   * Returns a text's letters; numbers and symbols count as texts, and tables as their names.
   *
   * @param what what the value means, for messages
   */
  public static String letters(Value value, String what) {
    return value instanceof Value.TableReference table ? table.name() : text(value, what).letters();
  }

  /** Returns a text's bytes; numbers and symbols count as texts. */
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

  /** Returns a whole number; a text of digits counts as one. */
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

  /** Returns a whole number of 32 bits. */
  public static int integer(Value value, String what) {
    long number = number(value, what);
    if (number != (int) number) {
      throw new ShellException(what + " is " + number + ", beyond 32 bits");
    }
    return (int) number;
  }

  /** Returns a truth value; the texts {@code 'true'} and {@code 'false'} count as such. */
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

  /** Returns the error that a value should have been another one. */
  public static ShellException expected(String what, String expected, Value found) {
    return new ShellException(
        what
            + " must be "
            + expected
            + ", not "
            + (found.equals(Value.NIL) ? "nil" : found.kind() + ": " + found.inspected()));
  }
}
