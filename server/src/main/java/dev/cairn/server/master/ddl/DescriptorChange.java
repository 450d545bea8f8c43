package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.loop.MasterLoop.Lane;
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
            Lane.WORK,
            () -> environment.files().replaceDescriptor(schema),
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
