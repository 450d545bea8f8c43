package dev.cairn.engine.store;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import java.util.function.Supplier;

/**
 * The settings of one family: the current settings of the server, with the overrides of the table
 * and the family. Thread-safe.
 */
final class FamilySettings implements Supplier<StoreSettings> {
  private final Supplier<StoreSettings> server;
  private final TableSchema table;
  private final FamilySchema family;
  private volatile Merged merged;

  private record Merged(StoreSettings server, StoreSettings own) {}

  /**
   * Creates the settings.
   *
   * @throws IllegalArgumentException naming the key whose value is impossible
   */
  FamilySettings(Supplier<StoreSettings> server, TableSchema table, FamilySchema family) {
    this.server = server;
    this.table = table;
    this.family = family;
    this.merged = merge(server.get());
  }

  @Override
  public StoreSettings get() {
    StoreSettings now = server.get();
    Merged last = merged;
    if (last.server() != now) {
      last = merge(now);
      merged = last;
    }
    return last.own();
  }

  private Merged merge(StoreSettings now) {
    return new Merged(now, now.forFamily(table, family));
  }
}
