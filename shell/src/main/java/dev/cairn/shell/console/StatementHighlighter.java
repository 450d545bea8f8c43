package dev.cairn.shell.console;

import dev.cairn.shell.run.CommandTable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.reader.LineReader;
import org.jline.reader.impl.DefaultHighlighter;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/** Colours commands, strings, constants, numbers and comments. */
final class StatementHighlighter extends DefaultHighlighter {
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<text>'(?:\\\\.|[^'\\\\])*'?|\"(?:\\\\.|[^\"\\\\])*\"?)"
              + "|(?<comment>#.*)"
              + "|(?<constant>\\b[A-Z][A-Z0-9_]+\\b)"
              + "|(?<number>\\b\\d[\\d_.]*\\b)"
              + "|(?<name>\\b[a-z_]\\w*\\b)",
          Pattern.DOTALL);

  private final CommandTable commands;

  StatementHighlighter(CommandTable commands) {
    this.commands = commands;
  }

  @Override
  public AttributedString highlight(LineReader reader, String buffer) {
    AttributedStringBuilder coloured = new AttributedStringBuilder();
    Matcher matcher = TOKEN.matcher(buffer);
    int at = 0;
    while (matcher.find()) {
      coloured.append(buffer.substring(at, matcher.start()));
      coloured.styled(style(matcher), matcher.group());
      at = matcher.end();
    }
    return coloured.append(buffer.substring(at)).toAttributedString();
  }

  private AttributedStyle style(Matcher matcher) {
    if (matcher.group("text") != null) {
      return AttributedStyle.DEFAULT.foreground(AttributedStyle.GREEN);
    } else if (matcher.group("comment") != null) {
      return AttributedStyle.DEFAULT.faint();
    } else if (matcher.group("constant") != null) {
      return AttributedStyle.DEFAULT.foreground(AttributedStyle.CYAN);
    } else if (matcher.group("number") != null) {
      return AttributedStyle.DEFAULT.foreground(AttributedStyle.MAGENTA);
    }
    return commands.find(matcher.group()).isPresent()
        ? AttributedStyle.DEFAULT.bold()
        : AttributedStyle.DEFAULT;
  }
}
