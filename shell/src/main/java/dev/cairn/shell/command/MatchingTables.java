package dev.cairn.shell.command;

import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.run.Failures;
import dev.cairn.shell.run.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;

/** Applies an action to all tables whose names match a regular expression, after confirmation. */
final class MatchingTables {
  private MatchingTables() {}

  /** An action on a table. */
  @FunctionalInterface
  interface TableAction {
    void apply(Admin admin, TableName table) throws IOException;
  }

  /**
   * Lists the tables, asks for confirmation, and applies the action to each. Continues after a
   * failure. Prints each failed table with its error, and the numbers of successes and failures.
   *
   * @param verb the verb of the question: "Disable"
   * @param done the participle of the last line: "disabled"
   */
  static void apply(
      Session session, String expression, String verb, String done, TableAction action)
      throws IOException {
    TableName[] tables = session.admin().listTableNames(Names.pattern(expression, "The pattern"));
    if (tables.length == 0) {
      session.output().line("No tables matched the regex " + expression);
      return;
    }
    Rows rows = session.output().table(List.of());
    for (TableName table : tables) {
      rows.name(table.getNameAsString());
    }
    session.output().line("");
    if (!session.confirms(verb + " the above " + tables.length + " tables (y/n)?")) {
      return;
    }
    List<String> failed = new ArrayList<>();
    for (TableName table : tables) {
      Interrupts.check();
      try {
        action.apply(session.admin(), table);
      } catch (IOException e) {
        session.output().line("table:" + table + ", error:" + Failures.message(e));
        failed.add(table.getNameAsString());
      }
    }
    session.output().line(tables.length - failed.size() + " tables successfully " + done);
    if (!failed.isEmpty()) {
      session
          .output()
          .line(
              failed.size()
                  + " tables not "
                  + done
                  + " due to an exception: "
                  + String.join(",", failed));
    }
  }
}
