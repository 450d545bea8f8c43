package dev.cairn.server.master.table;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.SchemaSettings;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * HBase's rules for changes of store file trackers. A family changes its tracker through {@code
 * MIGRATION}, so that the old tracker opens its stores once and both keep them. Thread-safe.
 */
public final class TrackerRules {
  /** The keys in descriptors that choose a tracker. */
  public static final List<String> KEYS =
      List.of(StoreFileTracking.KEY, StoreFileTracking.SOURCE_KEY, StoreFileTracking.TARGET_KEY);

  private TrackerRules() {}

  /**
   * Returns {@code after} with the table's tracker of {@code before} if {@code after} names none.
   * Else the tracker would change with {@code hbase-site.xml}, and no store would migrate.
   */
  public static TableSchema carryOver(TableSchema before, TableSchema after) {
    if (SchemaSettings.of(after).find(StoreFileTracking.KEY).isPresent()) {
      return after;
    }
    TableSchema whole = after;
    for (String key : KEYS) {
      Optional<String> value = SchemaSettings.of(before).find(key);
      if (value.isPresent()) {
        whole = whole.withDefault(key, value.get());
      }
    }
    return whole;
  }

  /**
   * Checks a new table.
   *
   * @throws DoNotRetryIOException in HBase's words, if a family would migrate
   */
  public static void checkNew(TableSchema table, SchemaRules rules) throws IOException {
    for (FamilySchema family : table.families()) {
      checkNew(table, family, rules);
    }
  }

  private static void checkNew(TableSchema table, FamilySchema family, SchemaRules rules)
      throws IOException {
    if (tracking(table, family, rules).isMigration()) {
      throw refusal("Should not use MIGRATION as store file tracker for new", family, table);
    }
  }

  /**
   * Checks a change of a table.
   *
   * @return whether the tracker of some family changes
   * @throws DoNotRetryIOException in HBase's words, if a step is left out
   */
  public static boolean checkChange(TableSchema before, TableSchema after, SchemaRules rules)
      throws IOException {
    boolean changes = false;
    for (FamilySchema family : after.families()) {
      Optional<FamilySchema> old = before.family(family.name());
      if (old.isEmpty()) {
        checkNew(after, family, rules);
        continue;
      }
      StoreFileTracking from = tracking(before, old.get(), rules);
      StoreFileTracking to = tracking(after, family, rules);
      if (!from.equals(to)) {
        changes = true;
        checkStep(from, to, after, family);
      }
    }
    return changes;
  }

  private static void checkStep(
      StoreFileTracking from, StoreFileTracking to, TableSchema table, FamilySchema family)
      throws IOException {
    if (from.isMigration() && to.isMigration()) {
      boolean source = from.source() != to.source();
      throw refusal(
          "The %s tracker has been changed from %s to %s for"
              .formatted(
                  source ? "src" : "dst",
                  source ? from.source() : from.target(),
                  source ? to.source() : to.target()),
          family,
          table);
    } else if (from.isMigration()) {
      if (to.target() != from.target()) {
        throw refusal(
            "Should migrate tracker to " + from.target() + " but got " + to.target() + " for",
            family,
            table);
      }
    } else if (!to.isMigration()) {
      throw refusal(
          "Should change to MIGRATION first when migrating from " + from.source() + " for",
          family,
          table);
    } else if (to.source() != from.source()) {
      throw refusal(
          "Should use src tracker %1$s first but got %2$s when migrating from %1$s for"
              .formatted(from.source(), to.source()),
          family,
          table);
    }
  }

  /** Returns the tracking of a family, from its own or the table's configuration. */
  public static StoreFileTracking tracking(
      TableSchema table, FamilySchema family, SchemaRules rules) {
    return StoreFileTracking.of(table, family, StoreFileTracking.of(rules.tracker()));
  }

  private static DoNotRetryIOException refusal(
      String problem, FamilySchema family, TableSchema table) {
    return new DoNotRetryIOException(
        problem + " family " + family.nameAsString() + " of table " + table.name());
  }
}
