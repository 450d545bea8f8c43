package dev.cairn.server.advise.page;

import dev.cairn.server.advise.TableReport;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The tables with regions on a region server. Thread-safe. */
public interface KnownTables {
  /** Returns their names, in order. System tables are left out. */
  List<String> names();

  /** Returns the number of all region servers; empty if unknown. */
  OptionalInt servers();

  /** Returns the server's facts about a table; empty if it has no region of it. */
  Optional<TableReport> report(String table);
}
