package dev.cairn.shell.language;

import java.util.List;

/**
 * A token of a script.
 *
 * @param kind its kind
 * @param text its characters; for a label or symbol, those of the name
 * @param at where it begins
 * @param spaced whether white space stands before it
 * @param parts the parts of a {@link Kind#TEXT}; otherwise empty
 */
record Token(Kind kind, String text, Position at, boolean spaced, List<TextPart> parts) {
  /** The kinds of tokens. */
  enum Kind {
    /** The end of a statement: a line's end or a semicolon. */
    NEWLINE,
    /** A name that begins with a lower-case letter. */
    NAME,
    /** A name that begins with a capital. */
    CONSTANT,
    /** A name with a colon after it, as in {@code key: value}. */
    LABEL,
    /** A name with a colon before it. */
    SYMBOL,
    INTEGER,
    DECIMAL,
    TEXT,
    /** Punctuation. */
    SIGN,
    /** The end of the script. */
    END
  }

  /** A part of a text. */
  sealed interface TextPart {
    /** Literal bytes. */
    record Bytes(byte[] bytes) implements TextPart {}

    /** The source of an expression between {@code #{} and {@code }}. */
    record Code(String source, Position at) implements TextPart {}
  }

  boolean is(Kind wanted) {
    return kind == wanted;
  }

  boolean isSign(String sign) {
    return kind == Kind.SIGN && text.equals(sign);
  }

  boolean isName(String name) {
    return kind == Kind.NAME && text.equals(name);
  }

  /** Returns the token as messages name it. */
  String described() {
    return switch (kind) {
      case NEWLINE -> "the end of the statement";
      case END -> "the end of the script";
      case TEXT -> "a text";
      case LABEL -> "`" + text + ":`";
      case SYMBOL -> "`:" + text + "`";
      default -> "`" + text + "`";
    };
  }
}
