package dev.cairn.shell.console;

import java.util.List;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/**
 * Finds the word before the cursor for completion: from the open quote, or from the last blank,
 * bracket or comma. The language decides whether a statement is complete.
 */
final class ConsoleParser implements Parser {
  private static final String BREAKS = " \t\n(){}[],;|=>";

  @Override
  public ParsedLine parse(String line, int cursor, ParseContext context) {
    String before = line.substring(0, cursor);
    int quote = CommandCompleter.openQuote(before);
    int begin = cursor;
    if (quote >= 0) {
      begin = quote;
    } else {
      while (begin > 0 && BREAKS.indexOf(line.charAt(begin - 1)) < 0) {
        begin--;
      }
    }
    return new Word(line, cursor, line.substring(begin, cursor));
  }

  /** A line whose only word is the one before the cursor. */
  private record Word(String line, int cursor, String word) implements ParsedLine {
    @Override
    public int wordCursor() {
      return word.length();
    }

    @Override
    public int wordIndex() {
      return 0;
    }

    @Override
    public List<String> words() {
      return List.of(word);
    }
  }
}
