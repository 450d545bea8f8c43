package dev.cairn.keys.type;

import dev.cairn.keys.hash.HashFunction;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The types by their names in the text form of a format. */
public final class TypeWords {
  private static final String ESCAPED = "escaped";

  private static final List<String> PLAIN =
      List.of(
          "bits",
          "boolean",
          "byte",
          "bytes",
          "date",
          "decimal",
          "double",
          "float",
          "hash",
          "int",
          "long",
          "millis",
          "reverse_timestamp",
          "reversed_digits",
          "reversed_domain",
          "seconds",
          "short",
          "string",
          "timestamp",
          "ubyte",
          "uid",
          "uint",
          "ulong",
          "ushort",
          "uuid");

  private TypeWords() {}

  /**
   * Returns the type of a name with its arguments, such as {@code string} and {@code [20]}.
   *
   * @throws IllegalArgumentException if there is none; the message says what there is
   */
  public static KeyType type(String word, List<String> arguments) {
    Optional<String> argument = arguments.stream().findFirst();
    if (arguments.size() > (word.equals("hash") ? 2 : 1)) {
      throw new IllegalArgumentException(word + " has too many arguments");
    }
    return switch (word) {
      case "string" -> string(argument);
      case "bytes" -> bytes(argument);
      case "uid" -> new IntegerType(IntegerType.UID, width(word, argument), false);
      case "bits" -> new BitsType(width(word, argument));
      case "reversed_digits" -> new ReversedDigitsType(width(word, argument));
      case "hash" -> hashed(arguments);
      case "timestamp", "millis", "seconds", "reverse_timestamp" -> timestamp(word, argument);
      case "phoenix_char", "phoenix_binary" ->
          new PhoenixType(phoenix(word), width(word, argument));
      default -> {
        KeyType plain = plain(word);
        if (argument.isPresent()) {
          throw new IllegalArgumentException(word + " has no argument; write " + word);
        }
        yield plain;
      }
    };
  }

  private static KeyType plain(String word) {
    return switch (word) {
      case "byte" -> new IntegerType(word, Byte.BYTES, true);
      case "short" -> new IntegerType(word, Short.BYTES, true);
      case "int" -> new IntegerType(word, Integer.BYTES, true);
      case "long" -> new IntegerType(word, Long.BYTES, true);
      case "ubyte" -> new IntegerType(word, Byte.BYTES, false);
      case "ushort" -> new IntegerType(word, Short.BYTES, false);
      case "uint" -> new IntegerType(word, Integer.BYTES, false);
      case "ulong" -> new IntegerType(word, Long.BYTES, false);
      case "float" -> new FloatType(Float.BYTES);
      case "double" -> new FloatType(Double.BYTES);
      case "decimal" -> new DecimalType();
      case "date" -> new DateType();
      case "uuid" -> new UuidType();
      case "boolean" -> new BooleanType();
      case "reversed_domain" -> new ReversedDomainType();
      default -> {
        for (OrderedType.Kind kind : OrderedType.Kind.values()) {
          OrderedType type = new OrderedType(kind);
          if (type.toString().equals(word)) {
            yield type;
          }
        }
        yield new PhoenixType(phoenix(word), 0);
      }
    };
  }

  private static KeyType string(Optional<String> argument) {
    if (argument.isEmpty()) {
      return new StringType(StringType.Form.TERMINATED, 0);
    }
    return argument.get().equals(ESCAPED)
        ? new StringType(StringType.Form.ESCAPED, 0)
        : new StringType(StringType.Form.FIXED, width("string", argument));
  }

  private static KeyType bytes(Optional<String> argument) {
    if (argument.isEmpty()) {
      return new BytesType(BytesType.Form.REST, 0);
    }
    return argument.get().equals(ESCAPED)
        ? new BytesType(BytesType.Form.ESCAPED, 0)
        : new BytesType(BytesType.Form.FIXED, width("bytes", argument));
  }

  private static KeyType hashed(List<String> arguments) {
    if (arguments.isEmpty()) {
      throw new IllegalArgumentException("hash needs a function: hash(md5)");
    }
    HashFunction function = HashFunction.named(arguments.get(0));
    return new HashedType(
        function,
        arguments.size() == 1 ? function.width() : width("hash", Optional.of(arguments.get(1))));
  }

  private static KeyType timestamp(String word, Optional<String> argument) {
    TimestampType.Layout layout = TimestampType.Layout.valueOf(word.toUpperCase(Locale.ROOT));
    if (argument.isEmpty()) {
      return new TimestampType(layout, layout.finest());
    }
    for (TimestampType.Unit unit : TimestampType.Unit.values()) {
      if (unit.name().toLowerCase(Locale.ROOT).equals(argument.get())) {
        return new TimestampType(layout, unit);
      }
    }
    throw new IllegalArgumentException(
        word + " rounds to millisecond, second, minute, hour or day, not to " + argument.get());
  }

  private static PhoenixType.Kind phoenix(String word) {
    for (PhoenixType.Kind kind : PhoenixType.Kind.values()) {
      if (word.equals("phoenix_" + kind.name().toLowerCase(Locale.ROOT))) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "unknown type "
            + word
            + "; the types are "
            + String.join(", ", PLAIN)
            + ", and those that begin with ordered_ and phoenix_");
  }

  private static int width(String word, Optional<String> argument) {
    try {
      return Integer.parseInt(argument.orElse(""));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(word + " needs a width: " + word + "(3)");
    }
  }

  /** Returns all names, in alphabetical order. */
  public static Set<String> words() {
    Set<String> words = new TreeSet<>(PLAIN);
    for (OrderedType.Kind kind : OrderedType.Kind.values()) {
      words.add("ordered_" + kind.name().toLowerCase(Locale.ROOT));
    }
    for (PhoenixType.Kind kind : PhoenixType.Kind.values()) {
      words.add("phoenix_" + kind.name().toLowerCase(Locale.ROOT));
    }
    return words;
  }
}
