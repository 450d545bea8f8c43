package dev.cairn.shell.command;

import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Value;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;

/** Converts arguments to names of tables and servers, and to patterns of names. */
final class Names {
  private Names() {}

  /** Returns the table that the first argument names. */
  static TableName table(Arguments arguments) {
    return table(arguments.get(0));
  }

  /** Returns the table that a value names. */
  static TableName table(Value value) {
    return table(Conversions.letters(value, "The table"));
  }

  /** Returns the table with this name. */
  static TableName table(String name) {
    try {
      return TableName.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new ShellException(e.getMessage(), e);
    }
  }

  /** Returns the server with this host, port and start code. */
  static ServerName server(String name) {
    if (!Target.SERVER.matcher(name).matches()) {
      throw new ShellException(
          name
              + " is not the name of a server: write 'host,port,startcode', as list_liveservers"
              + " shows it");
    }
    return ServerName.valueOf(name);
  }

  /** Returns a regular expression; {@code what} names it in the error. */
  static Pattern pattern(String expression, String what) {
    try {
      return Pattern.compile(expression);
    } catch (PatternSyntaxException e) {
      throw new ShellException(
          what + " " + expression + " is not a regular expression: " + e.getDescription(), e);
    }
  }
}
