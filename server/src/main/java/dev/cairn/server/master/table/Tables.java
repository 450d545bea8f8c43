package dev.cairn.server.master.table;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.meta.RegionStateStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState.State;

/** The tables: their descriptors and states. Owned by the loop. */
public final class Tables {
  private final RegionStateStore catalog;
  private final NavigableMap<TableName, Table> tables = new TreeMap<>();

  /** Tables with an unreadable descriptor; {@link #tables} has none of them. */
  private final NavigableMap<TableName, Damaged> damaged = new TreeMap<>();

  private final Map<TableName, List<RegionInfo>> splitParents = new HashMap<>();

  private final Map<RegionInfo, List<RegionInfo>> merges = new LinkedHashMap<>();

  /** A table that exists. */
  public record Table(TableSchema schema, State state) {
    /** Returns the table's name. */
    public TableName name() {
      return schema.name();
    }

    /** Tells whether the table is enabled. */
    public boolean isEnabled() {
      return state == State.ENABLED;
    }
  }

  /**
   * A table with an unreadable descriptor.
   *
   * @param reason the complete error message for users
   */
  public record Damaged(State state, String reason) {}

  /** Creates it without tables; {@code catalog} writes their states. */
  public Tables(RegionStateStore catalog) {
    this.catalog = catalog;
  }

  /** Takes the state read at the start. */
  public void load(TableSchema schema, State state) {
    tables.put(schema.name(), new Table(schema, state));
  }

  /** Adds a table whose descriptor could not be read at the start. */
  public void loadDamaged(TableName name, Damaged table) {
    damaged.put(name, table);
  }

  /** Returns the error messages of all tables with an unreadable descriptor. */
  public List<String> damage() {
    return damaged.values().stream().map(Damaged::reason).toList();
  }

  /** Takes a region that was split, and that the catalog still has. */
  public void loadSplitParent(RegionInfo region) {
    splitParents.computeIfAbsent(region.table(), table -> new ArrayList<>()).add(region);
  }

  /** Returns the table's regions that were split, and that the catalog still has. */
  public List<RegionInfo> splitParents(TableName table) {
    return List.copyOf(splitParents.getOrDefault(table, List.of()));
  }

  /** Forgets a split region, which the catalog no longer has. */
  public void removeSplitParent(RegionInfo region) {
    splitParents.computeIfPresent(
        region.table(),
        (table, parents) -> {
          parents.remove(region);
          return parents.isEmpty() ? null : parents;
        });
  }

  /** Forgets the table's split and merged regions, which the catalog no longer has. */
  public void removeSplitParents(TableName table) {
    splitParents.remove(table);
    merges.keySet().removeIf(merged -> merged.table().equals(table));
  }

  /** Adds a region that may need files of the regions from which it was merged. */
  public void loadMerge(RegionInfo merged, List<RegionInfo> parents) {
    merges.put(merged, parents);
  }

  /** Forgets the parents of a merged region, because the catalog has forgotten them. */
  public void removeMerge(RegionInfo merged) {
    merges.remove(merged);
  }

  /**
   * Returns the parents of merged regions, while those may need the parents' files, in the order in
   * which they became known.
   */
  public Map<RegionInfo, List<RegionInfo>> merges() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(merges));
  }

  /** Writes the table's state to the catalog, and then makes it known. */
  public void set(TableSchema schema, State state, Completion completion) {
    catalog.write(
        List.of(new CatalogChange.SetTableState(schema.name(), state)),
        completion.then(
            () -> {
              load(schema, state);
              completion.done();
            }));
  }

  /** Makes another descriptor known; the files have it already. */
  public void replace(TableSchema schema) {
    tables.computeIfPresent(schema.name(), (name, old) -> new Table(schema, old.state()));
  }

  /** Forgets a table that the catalog no longer has. */
  public void remove(TableName name) {
    tables.remove(name);
    damaged.remove(name);
    removeSplitParents(name);
  }

  /** Returns the table, if it exists and has a readable descriptor. */
  public Optional<Table> find(TableName name) {
    return Optional.ofNullable(tables.get(name));
  }

  /**
   * Returns the table.
   *
   * @throws DoNotRetryIOException if its descriptor could not be read
   */
  public Table require(TableName name) throws DoNotRetryIOException {
    checkWhole(name);
    return find(name).orElseThrow(() -> new TableNotFoundException(name.toString()));
  }

  /** Returns the table's state, even if its descriptor is unreadable. */
  public State requireState(TableName name) throws DoNotRetryIOException {
    Damaged without = damaged.get(name);
    return without == null ? require(name).state() : without.state();
  }

  /** Tells whether the table's descriptor could not be read at the start. */
  public boolean isDamaged(TableName name) {
    return damaged.containsKey(name);
  }

  /** Checks that the table's descriptor is readable. */
  public void checkWhole(TableName name) throws DoNotRetryIOException {
    Damaged without = damaged.get(name);
    if (without != null) {
      throw new DoNotRetryIOException(without.reason());
    }
  }

  /** Returns the table if it is disabled. */
  public Table requireDisabled(TableName name) throws DoNotRetryIOException {
    Table table = require(name);
    if (table.state() != State.DISABLED) {
      throw new TableNotDisabledException(
          "Not DISABLED; tableName=" + name + ", state=" + table.state());
    }
    return table;
  }

  /** Returns the table if it is enabled. */
  public Table requireEnabled(TableName name) throws DoNotRetryIOException {
    Table table = require(name);
    if (!table.isEnabled()) {
      throw new TableNotEnabledException(
          "Not ENABLED; tableName=" + name + ", state=" + table.state());
    }
    return table;
  }

  /** Returns the names and states of all tables, including those with an unreadable descriptor. */
  public NavigableMap<TableName, State> states() {
    NavigableMap<TableName, State> states = new TreeMap<>();
    tables.forEach((name, table) -> states.put(name, table.state()));
    damaged.forEach((name, table) -> states.put(name, table.state()));
    return states;
  }

  /** Returns the tables with a readable descriptor. */
  public Collection<Table> all() {
    return Collections.unmodifiableCollection(tables.values());
  }
}
