package dev.cairn.shell.command;

import dev.cairn.keys.KeyDisplay;
import dev.cairn.keys.KeyFormat;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;

/** Row keys as their parts, by the format that a table has as an attribute. */
final class RowKeys {
  /** The option that asks for them. */
  static final String OPTION = "KEYS";

  private RowKeys() {}

  /**
   * Returns the display of a table's keys, if the options ask for it. Prints a warning if the
   * table's format is malformed.
   */
  static Optional<KeyDisplay> of(TableName name, Options options, Session session)
      throws IOException {
    if (!options.flag(OPTION)) {
      return Optional.empty();
    }
    String text;
    try (Table table = session.table(name)) {
      text = table.getDescriptor().getValue(KeyFormat.TABLE_ATTRIBUTE);
    }
    if (text == null) {
      throw new ShellException(
          name
              + " has no "
              + KeyFormat.TABLE_ATTRIBUTE
              + "; set it: alter '"
              + name
              + "', "
              + KeyFormat.TABLE_ATTRIBUTE
              + " => 'host string, time long'");
    }
    KeyDisplay display = KeyDisplay.of(Optional.of(text));
    display
        .problem()
        .ifPresent(problem -> session.output().line("Warning: " + name + ": " + problem));
    return Optional.of(display);
  }
}
