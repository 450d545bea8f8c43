package dev.cairn.shell.language;

import dev.cairn.shell.language.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Converts a script to tokens. */
final class Lexer {
  /** Longer operators come before their prefixes. */
  private static final List<String> SIGNS =
      List.of(
          "...", "=>", "..", "(", ")", "[", "]", "{", "}", ",", "|", ".", "=", "+", "-", "*", "/",
          "%");

  /** Unsupported operators of Ruby, so that messages can name them in full. */
  private static final List<String> REFUSED =
      List.of(
          "<=>", "===", "**=", "||=", "&&=", "<<~", "<<-", "==", "=~", "!=", "!~", "<=", ">=", "<<",
          ">>", "&&", "||", "+=", "-=", "*=", "/=", "%=", "**", "->", "::", "&.", "%w", "%i", "%q",
          "%Q");

  /** Typographic quotes, from word processors and web pages. */
  private static final String TYPOGRAPHIC_QUOTES = "\u2018\u2019\u201c\u201d\u2032\u2033\u00b4";

  private final Source source;
  private final List<Token> tokens = new ArrayList<>();

  private Lexer(Source source) {
    this.source = source;
  }

  /**
   * Returns the tokens of a script, ending with {@link Kind#END}.
   *
   * @param start the position of its first character
   * @throws SyntaxException if it has a character that belongs to no token
   */
  static List<Token> tokens(String script, Position start) {
    Lexer lexer = new Lexer(new Source(script, start));
    lexer.run();
    return lexer.tokens;
  }

  private void run() {
    boolean spaced = skipSpace();
    while (!source.atEnd()) {
      read(spaced);
      spaced = skipSpace();
    }
    add(Kind.END, "", source.position(), spaced);
  }

  /** Skips whitespace, comments and escaped line ends. */
  private boolean skipSpace() {
    boolean skipped = false;
    while (!source.atEnd()) {
      char c = source.peek();
      if (c == ' ' || c == '\t' || c == '\r') {
        source.next();
      } else if (c == '#') {
        while (!source.atEnd() && source.peek() != '\n') {
          source.next();
        }
      } else if (source.take("\\\n") || source.take("\\\r\n")) {
        if (source.atEnd()) {
          throw new IncompleteException(source.position(), "The escaped line end has no next line");
        }
      } else {
        return skipped;
      }
      skipped = true;
    }
    return skipped;
  }

  private void read(boolean spaced) {
    Position at = source.position();
    char c = source.peek();
    if (c == '\n' || c == ';') {
      add(Kind.NEWLINE, String.valueOf(source.next()), at, spaced);
    } else if (c == '\'' || c == '"') {
      tokens.add(new Token(Kind.TEXT, "", at, spaced, new TextLexer(source).read()));
    } else if (Character.isDigit(c)) {
      number(at, spaced);
    } else if (isNameStart(c)) {
      name(at, spaced);
    } else if (c == ':' && isNameStart(source.peek(1))) {
      source.next();
      add(Kind.SYMBOL, word(), at, spaced);
    } else {
      sign(at, spaced);
    }
  }

  private void number(Position at, boolean spaced) {
    int begin = source.index();
    boolean decimal = false;
    if (source.take("0x") || source.take("0X")) {
      while (Character.digit(source.peek(), 16) >= 0 || source.peek() == '_') {
        source.next();
      }
    } else {
      digits();
      if (source.peek() == '.' && Character.isDigit(source.peek(1))) {
        decimal = true;
        source.next();
        digits();
      }
      if ((source.peek() == 'e' || source.peek() == 'E')
          && (Character.isDigit(source.peek(1))
              || source.peek(1) == '-' && Character.isDigit(source.peek(2)))) {
        decimal = true;
        source.next();
        source.next();
        digits();
      }
    }
    String text = source.since(begin).replace("_", "");
    if (isNameStart(source.peek())) {
      throw new SyntaxException(at, "`" + text + word() + "` is not a number");
    }
    add(decimal ? Kind.DECIMAL : Kind.INTEGER, text, at, spaced);
  }

  private void digits() {
    while (Character.isDigit(source.peek()) || source.peek() == '_') {
      source.next();
    }
  }

  private void name(Position at, boolean spaced) {
    String word = word();
    if (source.peek() == ':' && source.peek(1) != ':') {
      source.next();
      add(Kind.LABEL, word, at, spaced);
      return;
    }
    boolean capital = Character.isUpperCase(word.charAt(0));
    if (!capital && (source.peek() == '?' || source.peek() == '!') && source.peek(1) != '=') {
      word += source.next();
    }
    add(capital ? Kind.CONSTANT : Kind.NAME, word, at, spaced);
  }

  private String word() {
    int begin = source.index();
    while (isNameStart(source.peek()) || Character.isDigit(source.peek())) {
      source.next();
    }
    return source.since(begin);
  }

  private static boolean isNameStart(char c) {
    return c == '_' || Character.isLetter(c);
  }

  private void sign(Position at, boolean spaced) {
    for (String sign : REFUSED) {
      if (source.take(sign)) {
        throw new SyntaxException(at, "`" + sign + "` is not understood by this shell");
      }
    }
    for (String sign : SIGNS) {
      if (source.take(sign)) {
        add(Kind.SIGN, sign, at, spaced);
        return;
      }
    }
    char unknown = source.next();
    throw new SyntaxException(
        at,
        "`"
            + unknown
            + (TYPOGRAPHIC_QUOTES.indexOf(unknown) >= 0
                ? "` is a typographic quote; texts stand between ' or \""
                : "` is not understood by this shell"));
  }

  private void add(Kind kind, String text, Position at, boolean spaced) {
    tokens.add(new Token(kind, text, at, spaced, List.of()));
  }
}
