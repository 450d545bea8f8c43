package dev.cairn.server.advise.page;

import dev.cairn.server.advise.TableReport;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The tables of which a region server has regions. Thread-safe. */
public interface KnownTables {
  /** Returns their names, in order. System tables are left out. */
  List<String> names();

  /** Returns the number of all region servers; empty if unknown. */
  OptionalInt servers();

  /** Returns what is known of a table; empty if there is no region of it. */
  Optional<TableReport> report(String table);
}
