package dev.cairn.shell.command;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.type.KeyMismatchException;
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

  private final KeyFormat format;

  private RowKeys(KeyFormat format) {
    this.format = format;
  }

  /** Returns the keys of a table, if the options ask for them. */
  static Optional<RowKeys> of(TableName name, Options options, Session session) throws IOException {
    if (!options.flag(OPTION)) {
      return Optional.empty();
    }
    try (Table table = session.table(name)) {
      String text = table.getDescriptor().getValue(KeyFormat.TABLE_ATTRIBUTE);
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
      return Optional.of(new RowKeys(KeyFormat.parse(text)));
    } catch (IllegalArgumentException e) {
      throw new ShellException(
          KeyFormat.TABLE_ATTRIBUTE + " of " + name + ": " + e.getMessage(), e);
    }
  }

  /** Returns the parts of a key, unless another format has written it. */
  Optional<String> text(byte[] row) {
    try {
      return Optional.of(format.decode(row).toString());
    } catch (KeyMismatchException e) {
      return Optional.empty();
    }
  }
}
