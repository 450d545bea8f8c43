package dev.cairn.server.process;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.keys.KeyDisplay;
import dev.cairn.keys.KeyFormat;
import dev.cairn.server.catalog.TableDescriptors;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.traffic.page.KeyDisplays;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the formats of row keys that tables declare. Thread-safe.
 *
 * @param storage the root directory
 * @param regions returns the open regions of the process
 */
record TableKeys(Storage storage, Supplier<Collection<HostedRegion>> regions)
    implements KeyDisplays {
  @Override
  public KeyDisplay ofOpen(String table) {
    return open(table).map(TableKeys::display).orElse(KeyDisplay.BYTES);
  }

  @Override
  public KeyDisplay of(String table) {
    Optional<TableSchema> schema = open(table);
    if (schema.isEmpty()) {
      try {
        schema = TableDescriptors.read(storage, TableFiles.directory(TableName.parse(table)));
      } catch (IOException e) {
        return KeyDisplay.unknown(
            "The table's descriptor cannot be read, so row keys are shown as bytes: "
                + e.getMessage());
      }
    }
    return schema.map(TableKeys::display).orElse(KeyDisplay.BYTES);
  }

  private Optional<TableSchema> open(String table) {
    return regions.get().stream()
        .filter(region -> region.info().table().toString().equals(table))
        .findFirst()
        .map(HostedRegion::schema);
  }

  private static KeyDisplay display(TableSchema schema) {
    return KeyDisplay.of(schema.attribute(KeyFormat.TABLE_ATTRIBUTE));
  }
}
