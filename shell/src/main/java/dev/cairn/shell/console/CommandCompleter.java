package dev.cairn.shell.console;

import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.CommandTable;
import dev.cairn.shell.run.Group;
import dev.cairn.shell.run.TableMethods;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/**
 * Completes the word before the cursor: commands at the start of a statement, names of tables and
 * columns in quotes, and elsewhere the constants of the statement's command.
 */
final class CommandCompleter implements Completer {
  private static final Pattern COMMAND =
      Pattern.compile("^(?:\\w+\\s*=\\s*)?(?:(\\w+)\\.)?(\\w+)[\\s(]");

  private static final Pattern TABLE = Pattern.compile("['\"]([^'\"]+)['\"]\\s*,");
  private static final Pattern METHOD = Pattern.compile("(?:^|[;{|=\\s])\\w+\\.(\\w*)$");

  private final CommandTable commands;
  private final SchemaNames schema;
  private final Supplier<String> begun;

  /**
   * Creates a completer.
   *
   * @param schema knows the tables of the server
   * @param begun returns the lines of the statement before the current line
   */
  CommandCompleter(CommandTable commands, SchemaNames schema, Supplier<String> begun) {
    this.commands = commands;
    this.schema = schema;
    this.begun = begun;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    String before = line.line().substring(0, line.cursor());
    names(begun.get() + before)
        .forEach(name -> candidates.add(new Candidate(name, name, null, null, null, null, false)));
  }

  /** Returns the candidates for the last word of a text. */
  Stream<String> names(String text) {
    String before = OpenStatement.of(text);
    Matcher method = METHOD.matcher(before);
    if (method.find()) {
      String receiver = before.substring(0, method.start(1)).replaceAll(".*?(\\w+\\.)$", "$1");
      return new TreeSet<>(TableMethods.NAMES).stream().map(name -> receiver + name);
    }
    Matcher matcher = COMMAND.matcher(before);
    if (!matcher.find()) {
      return Stream.concat(commands.names().stream(), Stream.of("help", "exit", "quit", "puts"));
    }
    String name = matcher.group(2);
    if (name.equals("help")) {
      return Stream.concat(commands.names().stream(), Stream.of(Group.values()).map(Group::title))
          .map(topic -> "'" + topic + "'");
    }
    int quotes = openQuote(before);
    if (quotes >= 0) {
      return quoted(before, quotes);
    }
    Optional<Command> command = commands.find(name);
    return command.map(found -> found.options().stream()).orElse(Stream.empty());
  }

  /** Returns the position of the open quote; -1 if there is none. */
  static int openQuote(String before) {
    int open = -1;
    for (int i = 0; i < before.length(); i++) {
      char c = before.charAt(i);
      if (open >= 0 && c == '\\') {
        i++;
      } else if (open >= 0 && c == before.charAt(open)) {
        open = -1;
      } else if (open < 0 && (c == '\'' || c == '"')) {
        open = i;
      }
    }
    return open;
  }

  /** The first string of a statement is a table; the others may be columns of that table. */
  private Stream<String> quoted(String before, int open) {
    String quote = before.substring(open, open + 1);
    Matcher table = TABLE.matcher(before.substring(0, open));
    List<String> names = table.find() ? schema.families(table.group(1)) : schema.tables();
    return names.stream().map(name -> quote + name + quote);
  }
}
