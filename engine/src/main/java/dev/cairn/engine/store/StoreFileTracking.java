package dev.cairn.engine.store;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import java.util.Optional;
import java.util.Set;

/**
 * How a store knows which of the files in its directory count. In HBase that is the table's or the
 * family's choice ({@code hbase.store.file-tracker.impl}): with {@code DEFAULT} all of them do;
 * with {@code FILE} those do that a list beside them names, and {@code MIGRATION} is the way from
 * one to the other. Only the first is known here. A store with one of the others may hold files
 * that must not be read, so it is not opened.
 */
public final class StoreFileTracking {
  /** HBase's key, in the descriptors of tables and families and in {@code hbase-site.xml}. */
  public static final String KEY = "hbase.store.file-tracker.impl";

  /** The tracker that HBase sets for a new table whose descriptor names none. */
  public static final String DEFAULT = "DEFAULT";

  private static final Set<String> SUPPORTED =
      Set.of(
          DEFAULT, "org.apache.hadoop.hbase.regionserver.storefiletracker.DefaultStoreFileTracker");

  private StoreFileTracking() {}

  /** Tells whether the tracker of that name is the one that is known. */
  public static boolean isSupported(String tracker) {
    return SUPPORTED.contains(tracker) || tracker.equalsIgnoreCase(DEFAULT);
  }

  /**
   * Checks what a family's stores are to be tracked by.
   *
   * @throws IllegalArgumentException saying what to do, if it is not supported
   */
  public static void check(TableSchema table, FamilySchema family) {
    Optional<String> tracker =
        family
            .attribute(KEY)
            .or(() -> Optional.ofNullable(family.configuration().get(KEY)))
            .or(() -> table.attribute(KEY));
    if (tracker.isPresent() && !isSupported(tracker.get())) {
      throw new IllegalArgumentException(
          "The store file tracker "
              + tracker.get()
              + " ("
              + KEY
              + ") of "
              + table.name()
              + ", column family "
              + family.nameAsString()
              + ", is not supported. Change it to DEFAULT with HBase (change_sft, by way of"
              + " MIGRATION) first");
    }
  }
}
