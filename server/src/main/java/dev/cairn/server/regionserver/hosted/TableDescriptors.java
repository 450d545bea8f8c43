package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;

/** Knows the present descriptor of each table. Thread-safe. */
@FunctionalInterface
public interface TableDescriptors {
  /**
   * Reads a table's descriptor.
   *
   * @throws IOException if the table does not exist, or its descriptor cannot be read
   */
  TableSchema read(TableName table) throws IOException;
}
