package dev.cairn.engine.constraint;

import java.util.ArrayList;
import java.util.List;

/**
 * The syntax tree of a pattern. The syntax is the part of regular expressions whose matches need no
 * memory of earlier characters: no references to groups, no look-around, no possessive quantifiers.
 */
sealed interface PatternSyntax {
  /** One character of a set. */
  record One(CodePoints set) implements PatternSyntax {}

  /** Parts after each other; none for the empty text. */
  record Sequence(List<PatternSyntax> parts) implements PatternSyntax {}

  /** One of several parts. */
  record Choice(List<PatternSyntax> parts) implements PatternSyntax {}

  /**
   * A part several times.
   *
   * @param most the highest number of times; {@link #NO_LIMIT} for any
   */
  record Repeat(PatternSyntax part, int least, int most) implements PatternSyntax {}

  /** Stands for any number of times. */
  int NO_LIMIT = -1;

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException with the reason, and its position
   */
  static PatternSyntax parse(String pattern) {
    return new Parser(pattern).parse();
  }

  /** Parses one pattern. */
  final class Parser {
    private static final int TIMES_MAX = 1000;
    private static final int LENGTH_MAX = 1000;

    private final int[] text;
    private int at;

    private Parser(String pattern) {
      this.text = pattern.codePoints().toArray();
    }

    private PatternSyntax parse() {
      if (text.length > LENGTH_MAX) {
        throw new IllegalArgumentException(
            "a pattern has at most " + LENGTH_MAX + " characters, not " + text.length);
      }
      skip('^'); // a value must match as a whole
      PatternSyntax all = choice();
      if (at < text.length) {
        throw unexpected();
      }
      return all;
    }

    private PatternSyntax choice() {
      List<PatternSyntax> parts = new ArrayList<>();
      do {
        parts.add(sequence());
      } while (skip('|'));
      return parts.size() == 1 ? parts.get(0) : new Choice(parts);
    }

    private PatternSyntax sequence() {
      List<PatternSyntax> parts = new ArrayList<>();
      while (at < text.length && text[at] != '|' && text[at] != ')') {
        if (text[at] == '$' && at == text.length - 1) {
          at++;
          break;
        }
        parts.add(repeated(atom()));
      }
      return new Sequence(parts);
    }

    private PatternSyntax repeated(PatternSyntax part) {
      PatternSyntax all = part;
      if (skip('*')) {
        all = new Repeat(part, 0, NO_LIMIT);
      } else if (skip('+')) {
        all = new Repeat(part, 1, NO_LIMIT);
      } else if (skip('?')) {
        all = new Repeat(part, 0, 1);
      } else if (skip('{')) {
        all = counted(part);
      } else {
        return part;
      }
      skip('?'); // a reluctant quantifier matches the same values as a whole
      if (at < text.length && "*+?{".indexOf(text[at]) >= 0) {
        throw unexpected();
      }
      return all;
    }

    private PatternSyntax counted(PatternSyntax part) {
      int least = number();
      int most = least;
      if (skip(',')) {
        most = at < text.length && text[at] == '}' ? NO_LIMIT : number();
      }
      require('}');
      if (most != NO_LIMIT && most < least) {
        throw new IllegalArgumentException("{" + least + "," + most + "} is empty" + where());
      }
      return new Repeat(part, least, most);
    }

    private int number() {
      int from = at;
      int value = 0;
      while (at < text.length && text[at] >= '0' && text[at] <= '9' && value <= TIMES_MAX) {
        value = value * 10 + text[at++] - '0';
      }
      if (at == from || value > TIMES_MAX) {
        throw new IllegalArgumentException(
            "a number from 0 to " + TIMES_MAX + " is expected" + where());
      }
      return value;
    }

    private PatternSyntax atom() {
      int character = text[at];
      switch (character) {
        case '(' -> {
          at++;
          if (skip('?')) {
            require(':');
          }
          PatternSyntax group = choice();
          require(')');
          return group;
        }
        case '[' -> {
          at++;
          return new One(characterClass());
        }
        case '.' -> {
          at++;
          return new One(CodePoints.ANY);
        }
        case '\\' -> {
          at++;
          return new One(escaped());
        }
        case '*', '+', '?', '{', '^', '$' -> throw unexpected();
        default -> {
          at++;
          return new One(CodePoints.of(character, character));
        }
      }
    }

    private CodePoints characterClass() {
      boolean negated = skip('^');
      CodePoints set = CodePoints.of();
      boolean first = true;
      while (!skip(']')) {
        if (at >= text.length) {
          throw new IllegalArgumentException("] is missing at the end");
        }
        CodePoints item = item(first);
        boolean isOne =
            item.ranges().size() == 2 && item.ranges().get(0).equals(item.ranges().get(1));
        if (isOne && at + 1 < text.length && text[at] == '-' && text[at + 1] != ']') {
          at++;
          item = range(item.ranges().get(0));
        }
        set = set.with(item);
        first = false;
      }
      if (first) {
        throw new IllegalArgumentException("[] is empty" + where());
      }
      return negated ? set.negated() : set;
    }

    private CodePoints range(int from) {
      CodePoints end = item(false);
      int to = end.ranges().get(0);
      if (end.ranges().size() != 2 || end.ranges().get(1) != to || to < from) {
        throw new IllegalArgumentException("this is no range of characters" + where());
      }
      return CodePoints.of(from, to);
    }

    /** Returns a character of a class, or a class such as {@code \d} in it. */
    private CodePoints item(boolean first) {
      int character = text[at];
      if (character == '\\') {
        at++;
        return escaped();
      }
      boolean isLiteralDash =
          character == '-' && (first || at + 1 < text.length && text[at + 1] == ']');
      boolean isIntersection = character == '&' && at + 1 < text.length && text[at + 1] == '&';
      if (character == '[' || isIntersection || character == '-' && !isLiteralDash) {
        throw unexpected();
      }
      at++;
      return CodePoints.of(character, character);
    }

    private CodePoints escaped() {
      if (at >= text.length) {
        throw new IllegalArgumentException("a character is missing after the last \\");
      }
      int character = text[at++];
      return switch (character) {
        case 'd' -> CodePoints.DIGITS;
        case 'D' -> CodePoints.DIGITS.negated();
        case 'w' -> CodePoints.WORD;
        case 'W' -> CodePoints.WORD.negated();
        case 's' -> CodePoints.SPACE;
        case 'S' -> CodePoints.SPACE.negated();
        case 't' -> CodePoints.of('\t', '\t');
        case 'n' -> CodePoints.of('\n', '\n');
        case 'r' -> CodePoints.of('\r', '\r');
        case 'f' -> CodePoints.of('\f', '\f');
        case 'x' -> hexadecimal(2);
        case 'u' -> hexadecimal(4);
        default -> {
          if (character >= 0x80 || Character.isLetterOrDigit(character)) {
            at--;
            throw new IllegalArgumentException(
                "\\" + Character.toString(character) + " is not supported" + where());
          }
          yield CodePoints.of(character, character);
        }
      };
    }

    private CodePoints hexadecimal(int digits) {
      int value = 0;
      for (int i = 0; i < digits; i++) {
        int digit = at < text.length ? Character.digit(text[at], 16) : -1;
        if (digit < 0) {
          throw new IllegalArgumentException(
              "\\x needs two hexadecimal digits, and \\u four" + where());
        }
        value = value << 4 | digit;
        at++;
      }
      return CodePoints.of(value, value);
    }

    private boolean skip(char expected) {
      if (at < text.length && text[at] == expected) {
        at++;
        return true;
      }
      return false;
    }

    private void require(char expected) {
      if (!skip(expected)) {
        throw at < text.length
            ? unexpected()
            : new IllegalArgumentException(expected + " is missing at the end");
      }
    }

    private IllegalArgumentException unexpected() {
      return new IllegalArgumentException(
          Character.toString(text[at]) + " cannot stand here" + where());
    }

    private String where() {
      return ", at character " + (at + 1) + " of the pattern";
    }
  }
}
