package dev.cairn.keys;

import dev.cairn.keys.hash.HashFunction;
import dev.cairn.keys.type.KeyType;
import dev.cairn.keys.type.Text;
import dev.cairn.keys.type.TypeWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads the text form of a format:
 *
 * <pre>
 * format  = part { "," part }
 * part    = "salt" "(" number [ "," function ] ")" [ of ]
 *         | "phoenix_salt" "(" number ")"
 *         | "hash" "(" function [ "," number ] ")" [ of ]
 *         | "literal" "(" bytes ")"
 *         | name type [ "asc" | "desc" ]
 * of      = "of" name | "of" "(" name { "," name } ")"
 * type    = word [ "(" argument { "," argument } ")" ]
 * </pre>
 */
final class FormatText {
  private static final String SALT = "salt";
  private static final String PHOENIX_SALT = "phoenix_salt";
  private static final String HASH = "hash";
  private static final String LITERAL = "literal";
  private static final String OF = "of";
  private static final String ASCENDING = "asc";
  private static final String DESCENDING = "desc";
  private static final Set<String> RESERVED =
      Set.of(SALT, PHOENIX_SALT, HASH, LITERAL, OF, ASCENDING, DESCENDING);

  private final String text;
  private int position;

  /** Where the current token begins, for errors. */
  private int begin;

  private FormatText(String text) {
    this.text = text;
  }

  static boolean isReserved(String name) {
    return RESERVED.contains(name);
  }

  /** Returns the parts' names after "of", or nothing if there are none. */
  static String of(List<String> names) {
    return switch (names.size()) {
      case 0 -> "";
      case 1 -> " of " + names.get(0);
      default -> " of (" + String.join(", ", names) + ")";
    };
  }

  /** Reads a type alone, such as {@code string(20)}. */
  static KeyType type(String type) {
    FormatText reader = new FormatText(type);
    KeyType read = reader.type();
    reader.token();
    if (reader.begin < type.length()) {
      throw new IllegalArgumentException("\"" + type + "\" is more than a type");
    }
    return read;
  }

  static KeyFormat parse(String text) {
    return new FormatText(text).format();
  }

  private KeyFormat format() {
    List<KeyPart> parts = new ArrayList<>();
    List<Integer> begins = new ArrayList<>();
    String separator = ",";
    while (separator.equals(",")) {
      String part = String.valueOf(parts.size() + 1);
      try {
        String first = token();
        begins.add(begin);
        if (first.isEmpty()) {
          throw new IllegalArgumentException("a part is missing; the text ends with a comma");
        }
        if (isName(first)) {
          part += " (" + first + ")";
        }
        parts.add(part(first));
        separator = token();
        if (!separator.isEmpty() && !separator.equals(",")) {
          throw new IllegalArgumentException("\"" + separator + "\" instead of a comma");
        }
      } catch (IllegalArgumentException e) {
        throw new FormatException(begin, part, e.getMessage());
      }
    }
    try {
      return new KeyFormat(parts);
    } catch (FormatCheck.PartRefused e) {
      throw new FormatException(
          begins.get(e.index()), (e.index() + 1) + " (" + parts.get(e.index()) + ")", e.reason());
    }
  }

  private KeyPart part(String first) {
    return switch (first) {
      case SALT -> {
        List<String> arguments = arguments(first, 1, 2);
        int buckets = number(arguments.get(0));
        Bucketing bucketing =
            arguments.size() == 1 ? Bucketing.STANDARD : bucketing(arguments.get(1));
        yield new SaltPart(buckets, bucketing, of());
      }
      case PHOENIX_SALT ->
          new SaltPart(number(arguments(first, 1, 1).get(0)), new Bucketing.Phoenix(), List.of());
      case HASH -> {
        List<String> arguments = arguments(first, 1, 2);
        HashFunction function = HashFunction.named(arguments.get(0));
        int width = arguments.size() == 1 ? function.width() : number(arguments.get(1));
        yield new HashPart(function, width, of());
      }
      case LITERAL -> new LiteralPart(Text.bytes(arguments(first, 1, 1).get(0)));
      default -> new ValuePart(first, type(), descending());
    };
  }

  private static Bucketing bucketing(String word) {
    return word.equals(Bucketing.Modulo.WORD)
        ? new Bucketing.Modulo()
        : new Bucketing.Hashed(HashFunction.named(word));
  }

  private KeyType type() {
    String word = token();
    int typeBegin = begin;
    if (!isName(word)) {
      throw new IllegalArgumentException("a type is missing; write a name and a type: time long");
    }
    List<String> arguments = next().equals("(") ? arguments(word, 1, 2) : List.of();
    int end = begin;
    begin = typeBegin;
    KeyType type = TypeWords.type(word, arguments);
    begin = end;
    return type;
  }

  private boolean descending() {
    String order = next();
    if (order.equals(ASCENDING) || order.equals(DESCENDING)) {
      token();
      return order.equals(DESCENDING);
    }
    return false;
  }

  private List<String> of() {
    if (!next().equals(OF)) {
      return List.of();
    }
    token();
    if (next().equals("(")) {
      return arguments(OF, 1, Integer.MAX_VALUE);
    }
    return List.of(token());
  }

  /** Reads tokens between parentheses, with commas between them. */
  private List<String> arguments(String word, int least, int most) {
    require("(", word);
    List<String> arguments = new ArrayList<>();
    String separator = ",";
    while (separator.equals(",")) {
      arguments.add(token());
      separator = token();
    }
    if (!separator.equals(")")) {
      throw new IllegalArgumentException("the parenthesis after " + word + " is not closed");
    }
    if (arguments.size() < least || arguments.size() > most) {
      throw new IllegalArgumentException(word + " has " + least + " to " + most + " arguments");
    }
    return arguments;
  }

  private void require(String expected, String after) {
    String found = token();
    if (!found.equals(expected)) {
      throw new IllegalArgumentException(
          after
              + " is a reserved word and needs \""
              + expected
              + "\" after it, not \""
              + found
              + "\"; choose another name if it is a part with a value");
    }
  }

  private static int number(String token) {
    try {
      return Integer.parseInt(token);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("\"" + token + "\" is not a number");
    }
  }

  /** Returns the next token without moving. */
  private String next() {
    int before = position;
    int beginBefore = begin;
    String token = token();
    position = before;
    begin = beginBefore;
    return token;
  }

  /** Returns the next token: a word, a quoted text or a sign; or an empty text at the end. */
  private String token() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
    begin = position;
    if (position == text.length()) {
      return "";
    }
    char first = text.charAt(position++);
    if (first == '"') {
      while (position < text.length() && text.charAt(position) != '"') {
        position += text.charAt(position) == '\\' ? 2 : 1;
      }
      position = Math.min(position + 1, text.length());
    } else if (isWord(first)) {
      while (position < text.length() && isWord(text.charAt(position))) {
        position++;
      }
    }
    return text.substring(begin, position);
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-';
  }

  /** Returns whether a token is a name, not a sign, a number or nothing. */
  private static boolean isName(String token) {
    return !token.isEmpty() && (Character.isLetter(token.charAt(0)) || token.charAt(0) == '_');
  }
}
