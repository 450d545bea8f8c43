package dev.cairn.shell.console;

import dev.cairn.shell.run.Session;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;

/** Provides the names of tables and families for completion; none if the server does not answer. */
final class SchemaNames {
  private static final long FRESH_NANOS = 5_000_000_000L;

  private final Session session;
  private List<String> tables = List.of();
  private long readAt = System.nanoTime() - FRESH_NANOS;

  SchemaNames(Session session) {
    this.session = session;
  }

  /** Returns the names of tables, at most five seconds old. */
  List<String> tables() {
    if (System.nanoTime() - readAt >= FRESH_NANOS) {
      try {
        tables =
            Arrays.stream(session.admin().listTableNames())
                .map(TableName::getNameAsString)
                .toList();
        readAt = System.nanoTime();
      } catch (IOException | RuntimeException e) {
        return List.of(); // the next command reports the problem
      }
    }
    return tables;
  }

  /** Returns the families of a table, each followed by a colon. */
  List<String> families(String table) {
    try {
      return Stream.of(session.admin().getDescriptor(TableName.valueOf(table)).getColumnFamilies())
          .map(ColumnFamilyDescriptor::getNameAsString)
          .flatMap(family -> Stream.of(family, family + ":"))
          .toList();
    } catch (IOException | RuntimeException e) {
      return List.of();
    }
  }
}
