package dev.cairn.shell.language;

import dev.cairn.shell.language.Token.TextPart;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads a string in single or double quotes, with Ruby's escapes. */
final class TextLexer {
  private final Source source;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<TextPart> parts = new ArrayList<>();
  private Position begin = new Position(1, 1);

  TextLexer(Source source) {
    this.source = source;
  }

  /**
   * Reads the string from its opening to its closing quote.
   *
   * @throws IncompleteException if the string does not end
   * @throws SyntaxException if it has an escape that Ruby does not have
   */
  List<TextPart> read() {
    begin = source.position();
    char quote = source.next();
    while (next() != quote) {
      char c = source.peek();
      if (c == '\\') {
        source.next();
        next();
        if (quote == '\'') {
          singleEscape();
        } else {
          escape();
        }
      } else if (quote == '"' && source.take("#{")) {
        code();
      } else {
        append(character());
      }
    }
    source.next();
    endBytes();
    return List.copyOf(parts);
  }

  /** Returns the next character without reading it. */
  private char next() {
    if (source.atEnd()) {
      throw new IncompleteException(begin, "The text that begins here has no closing quote");
    }
    return source.peek();
  }

  /** Reads a character, of one or two units. */
  private String character() {
    char first = source.next();
    return Character.isHighSurrogate(first) && !source.atEnd()
        ? new String(new char[] {first, source.next()})
        : String.valueOf(first);
  }

  private void append(String letters) {
    bytes.writeBytes(letters.getBytes(StandardCharsets.UTF_8));
  }

  /** In single quotes, only the quote and the backslash can be escaped. */
  private void singleEscape() {
    if (source.peek() != '\'' && source.peek() != '\\') {
      bytes.write('\\');
    }
    append(character());
  }

  private void escape() {
    Position at = source.position();
    char c = source.peek();
    if (c >= '0' && c <= '7') {
      bytes.write((int) number(at, 8, 3));
      return;
    }
    source.next();
    switch (c) {
      case 'n' -> bytes.write('\n');
      case 't' -> bytes.write('\t');
      case 'r' -> bytes.write('\r');
      case 'a' -> bytes.write(7);
      case 'b' -> bytes.write(8);
      case 'v' -> bytes.write(11);
      case 'f' -> bytes.write(12);
      case 'e' -> bytes.write(27);
      case 's' -> bytes.write(' ');
      case 'x' -> bytes.write((int) number(at, 16, 2));
      case 'u' -> unicode(at);
      case 'c' -> bytes.write(next() == '?' ? skip(127) : source.next() & 0x1f);
      case 'C', 'M' ->
          throw new SyntaxException(
              at, "The escape `\\" + c + "-` is not understood by this shell");
      case '\n' -> {} // the string continues on the next line
      default -> append(String.valueOf(c));
    }
  }

  private int skip(int value) {
    source.next();
    return value;
  }

  private void unicode(Position at) {
    if (!source.take("{")) {
      int begin = source.index();
      long letter = number(at, 16, 4);
      if (source.since(begin).length() != 4) {
        throw new SyntaxException(at, "`\\u` needs four hexadecimal digits");
      }
      letter(at, letter);
      return;
    }
    while (!source.take("}")) {
      letter(at, number(at, 16, 6));
      while (next() == ' ') {
        source.next();
      }
    }
  }

  private void letter(Position at, long letter) {
    if (!Character.isValidCodePoint((int) letter)) {
      throw new SyntaxException(at, "`\\u` names no character of Unicode");
    }
    append(Character.toString((int) letter));
  }

  private long number(Position at, int radix, int digits) {
    long value = 0;
    int read = 0;
    while (read < digits && Character.digit(next(), radix) >= 0) {
      value = value * radix + Character.digit(source.next(), radix);
      read++;
    }
    if (read == 0) {
      throw new SyntaxException(at, "An escape needs digits of base " + radix);
    }
    return value;
  }

  /** Reads an expression up to its closing brace; strings in it may have braces. */
  private void code() {
    endBytes();
    Position at = source.position();
    int begin = source.index();
    int open = 1;
    while (true) {
      char c = next();
      if (c == '"' || c == '\'') {
        new TextLexer(source).read();
        continue;
      }
      open += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (open == 0) {
        parts.add(new TextPart.Code(source.since(begin), at));
        source.next();
        return;
      }
      source.next();
    }
  }

  private void endBytes() {
    if (bytes.size() > 0) {
      parts.add(new TextPart.Bytes(bytes.toByteArray()));
      bytes.reset();
    }
  }
}
