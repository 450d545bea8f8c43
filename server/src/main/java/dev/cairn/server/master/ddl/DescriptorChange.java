package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/** Replaces the descriptor of a table. All methods are idempotent. */
record DescriptorChange(ProcedureContext environment) {
  /** Writes and publishes the descriptor. */
  void write(TableSchema schema, Completion completion) {
    environment
        .loop()
        .perform(
            Lane.FILES,
            () -> environment.files().descriptors().replace(schema),
            completion.then(
                () -> {
                  environment.tables().replace(schema);
                  completion.done();
                }));
  }

  /** Reopens all regions; fails if one of them is not open afterwards. */
  void reopenAll(TableName table, Completion completion) {
    environment
        .assignments()
        .reopen(
            table,
            completion.then(
                () -> {
                  Optional<IOException> closed = closedRegion(table);
                  if (closed.isPresent()) {
                    completion.failed(closed.get());
                  } else {
                    completion.done();
                  }
                }));
  }

  /**
   * Returns the present descriptor of a table that can be changed.
   *
   * @throws IOException for the client, if there is no such table, or if it is {@code hbase:meta}
   */
  static TableSchema requireChangeable(ProcedureContext environment, TableName table)
      throws IOException {
    if (table.isMeta()) {
      throw new DoNotRetryIOException("The descriptor of hbase:meta cannot be changed");
    }
    return environment.tables().require(table).schema();
  }

  /**
   * Checks that all regions of an enabled table are open or about to open.
   *
   * @throws IOException for the client, if not
   */
  void requireOpen(TableName table) throws IOException {
    environment.tables().requireEnabled(table);
    for (RegionStateNode node : environment.assignments().of(table)) {
      if (!node.isWantedOpen()) {
        throw closed(node);
      }
    }
  }

  private Optional<IOException> closedRegion(TableName table) {
    return environment.assignments().of(table).stream()
        .filter(node -> node.openServer().isEmpty())
        .findFirst()
        .map(DescriptorChange::closed);
  }

  private static IOException closed(RegionStateNode node) {
    return new DoNotRetryIOException(
        "The store file tracker changes while all regions are open, and "
            + node.region().regionNameAsString()
            + " is closed: assign it first");
  }
}
