package dev.cairn.engine.tracking;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.SchemaSettings;
import dev.cairn.engine.schema.TableSchema;
import java.util.Locale;
import java.util.Optional;

/**
 * The store file tracker of a family (HBase's {@code hbase.store.file-tracker.impl}), which
 * determines the files that belong to a store. {@code MIGRATION} changes from one kind to another.
 *
 * @param source the kind that supplies a store's files when it opens
 * @param target the kind that records the files from then on; differs from {@code source} during a
 *     migration
 */
public record StoreFileTracking(Kind source, Kind target) {
  /** The kinds of trackers. */
  public enum Kind {
    /** All files in the directory belong to the store. A rename publishes a file. */
    DEFAULT("DefaultStoreFileTracker"),
    /** The files in a list belong to the store. Needs no rename, which object stores lack. */
    FILE("FileBasedStoreFileTracker");

    private final String className;

    Kind(String className) {
      this.className = PACKAGE + className;
    }

    /** Returns the kind that HBase knows by a name or a class; empty for all others. */
    public static Optional<Kind> of(String name) {
      for (Kind kind : values()) {
        if (kind.name().equals(name.toUpperCase(Locale.ROOT)) || kind.className.equals(name)) {
          return Optional.of(kind);
        }
      }
      return Optional.empty();
    }
  }

  /** HBase's key, in the descriptors of tables and families and in {@code hbase-site.xml}. */
  public static final String KEY = "hbase.store.file-tracker.impl";

  /** HBase's key for the {@link #source} of a migration. */
  public static final String SOURCE_KEY = "hbase.store.file-tracker.migration.src.impl";

  /** HBase's key for the {@link #target} of a migration. */
  public static final String TARGET_KEY = "hbase.store.file-tracker.migration.dst.impl";

  /** The value of {@link #KEY} during a migration. */
  public static final String MIGRATION = "MIGRATION";

  /** All files count. */
  public static final StoreFileTracking DEFAULT = of(Kind.DEFAULT);

  private static final String PACKAGE = "org.apache.hadoop.hbase.regionserver.storefiletracker.";

  /** Returns the tracking by one kind. */
  public static StoreFileTracking of(Kind kind) {
    return new StoreFileTracking(kind, kind);
  }

  /**
   * Returns the tracking of a family.
   *
   * @param otherwise the tracking if neither the family nor the table sets one
   * @throws IllegalArgumentException if the tracker is unknown, or a migration lacks its source or
   *     target
   */
  public static StoreFileTracking of(
      TableSchema table, FamilySchema family, StoreFileTracking otherwise) {
    SchemaSettings own = SchemaSettings.of(table, family);
    Optional<String> name = own.find(KEY);
    if (name.isEmpty()) {
      return otherwise;
    }
    if (!isMigration(name.get())) {
      return of(kind(KEY, name.get(), table, family));
    }
    Kind source = kind(SOURCE_KEY, own.find(SOURCE_KEY).orElse(""), table, family);
    Kind target = kind(TARGET_KEY, own.find(TARGET_KEY).orElse(""), table, family);
    if (source == target) {
      throw new IllegalArgumentException(
          "A migration of the store file tracker leads from one to another, not from "
              + source
              + " to itself, in table "
              + table.name()
              + ", family "
              + family.nameAsString());
    }
    return new StoreFileTracking(source, target);
  }

  /** Tells whether a name or class denotes a migration. */
  public static boolean isMigration(String name) {
    return name.equalsIgnoreCase(MIGRATION) || name.equals(PACKAGE + "MigrationStoreFileTracker");
  }

  private static Kind kind(String key, String name, TableSchema table, FamilySchema family) {
    return Kind.of(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The store file tracker <"
                        + name
                        + "> ("
                        + key
                        + ") of table "
                        + table.name()
                        + ", family "
                        + family.nameAsString()
                        + ", is not supported; it is one of DEFAULT, FILE"
                        + (key.equals(KEY) ? ", MIGRATION" : "")));
  }

  /** Tells whether stores migrate from one kind to another. */
  public boolean isMigration() {
    return source != target;
  }

  /** Returns the value of {@link #KEY} for this tracking. */
  public String value() {
    return isMigration() ? MIGRATION : source.name();
  }
}
