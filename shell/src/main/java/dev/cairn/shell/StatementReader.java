package dev.cairn.shell;

import dev.cairn.shell.language.Expression;
import dev.cairn.shell.language.IncompleteException;
import dev.cairn.shell.language.Parser;
import dev.cairn.shell.language.SyntaxException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads statements; reads as many lines as the first statement needs. */
final class StatementReader {
  private final Lines lines;
  private int line;

  StatementReader(Lines lines) {
    this.lines = lines;
  }

  /**
   * Returns the statements of the next lines; empty at the end.
   *
   * @param variables the names of the variables before these lines
   * @throws SyntaxException if the lines are invalid; the next call reads the lines after them
   */
  Optional<List<Expression>> next(Set<String> variables) throws IOException {
    StringBuilder text = new StringBuilder();
    int first = line + 1;
    while (true) {
      Optional<String> next = lines.next(prompt(text.length() > 0), text.toString());
      if (next.isEmpty()) {
        return text.length() == 0
            ? Optional.empty()
            : Optional.of(Parser.parse(text.toString(), first, variables));
      }
      line++;
      text.append(next.get()).append('\n');
      try {
        return Optional.of(Parser.parse(text.toString(), first, variables));
      } catch (IncompleteException e) {
        // The statement continues on the next line.
      }
    }
  }

  /** Builds the prompt without a Formatter, which would take 0.03 s to load locale data. */
  private String prompt(boolean continued) {
    String number = Integer.toString(line + 1);
    return "hbase:"
        + "0".repeat(Math.max(0, 3 - number.length()))
        + number
        + (continued ? ":0* " : ":0> ");
  }
}
