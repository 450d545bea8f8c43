package dev.cairn.shell.console;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;

/**
 * Finds the unfinished statement at the end of a text, for completion. The language's parser reads
 * only complete statements.
 */
final class OpenStatement {
  /** A statement continues after a line that ends with one of these. */
  private static final String OPERATORS = ",=>+-*/%.";

  /** The text before the brace of a block; any other brace begins a hash. */
  private static final Pattern LOOP =
      Pattern.compile(
          "\\.(?:each|each_with_index|times|map|collect|upto|step)\\s*(?:\\([^)]*\\)\\s*)?$");

  private static final Pattern DO = Pattern.compile("\\bdo$");

  /** An open bracket, of a block with statements or around values. */
  private record Bracket(boolean block, int begin) {}

  private final String text;
  private final Deque<Bracket> brackets = new ArrayDeque<>();

  /** The start of the current statement. */
  private int begin;

  /** The last character that is neither blank nor in a comment. */
  private char last = ';';

  private OpenStatement(String text) {
    this.text = text;
  }

  /** Returns the last statement of a text, as typed so far. */
  static String of(String text) {
    OpenStatement statement = new OpenStatement(text);
    int i = 0;
    while (i < text.length()) {
      i = statement.read(i);
    }
    return text.substring(Math.min(statement.begin, text.length())).stripLeading();
  }

  /** Reads a character, a string or a comment, and returns the position after it. */
  private int read(int i) {
    char c = text.charAt(i);
    switch (c) {
      case '\'', '"' -> {
        last = c;
        return afterString(i);
      }
      case '#' -> {
        int end = text.indexOf('\n', i);
        return end < 0 ? text.length() : end;
      }
      case '(', '[' -> brackets.push(new Bracket(false, begin));
      case '{' -> {
        boolean block = LOOP.matcher(text.substring(begin, i)).find();
        brackets.push(new Bracket(block, begin));
        begin = block ? i + 1 : begin;
      }
      case ')', ']', '}' -> {
        if (!brackets.isEmpty()) {
          begin = brackets.pop().begin();
        }
      }
      default -> {
        if ((brackets.isEmpty() || brackets.peek().block()) && endsStatement(i, c)) {
          begin = i + 1;
        }
      }
    }
    last = Character.isWhitespace(c) ? last : c;
    return i + 1;
  }

  private int afterString(int open) {
    int i = open + 1;
    while (i < text.length() && text.charAt(i) != text.charAt(open)) {
      i += text.charAt(i) == '\\' ? 2 : 1;
    }
    return i + 1;
  }

  /** Tells whether a statement ends at a character; bars end the parameters of a block. */
  private boolean endsStatement(int i, char c) {
    return switch (c) {
      case ';', '|' -> true;
      case '\n' -> OPERATORS.indexOf(last) < 0;
      case ' ' -> DO.matcher(text.substring(begin, i)).find();
      default -> false;
    };
  }
}
