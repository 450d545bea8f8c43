package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.write.Mutation.Durability;
import java.util.List;

/** Determines the durability of writes, and the cells that they log. Thread-safe. */
public final class WriteDurability {
  private static final CellBuffer NONE = new CellBuffer(0, 0);

  private final Durability table;

  /**
   * Creates the rules of a table.
   *
   * @param table the durability that {@link Durability#USE_DEFAULT} means
   */
  public WriteDurability(Durability table) {
    this.table = table;
  }

  /** Resolves {@code USE_DEFAULT} in {@code asked}. */
  public Durability of(Durability asked) {
    return asked == Durability.USE_DEFAULT ? table : asked;
  }

  /** Returns the durability of mutations that share one log entry: the strongest. */
  public Durability strongest(List<Mutation> mutations) {
    Durability strongest = Durability.SKIP_WAL;
    for (Mutation mutation : mutations) {
      Durability own = of(mutation.durability());
      strongest = own.compareTo(strongest) > 0 ? own : strongest;
    }
    return strongest;
  }

  /** Tells whether a mutation is not logged. */
  public boolean skipsLog(Mutation mutation) {
    return of(mutation.durability()) == Durability.SKIP_WAL;
  }

  /**
   * Returns the cells to log.
   *
   * @param cells the cells of all mutations, in the order of the mutations
   */
  public CellBuffer logged(List<Mutation> mutations, CellBuffer cells) {
    int skipping = 0;
    for (Mutation mutation : mutations) {
      skipping += skipsLog(mutation) ? 1 : 0;
    }
    if (skipping == 0) {
      return cells;
    }
    if (skipping == mutations.size()) {
      return NONE;
    }
    CellBuffer logged = new CellBuffer(0, 0);
    int at = 0;
    for (Mutation mutation : mutations) {
      int end = at + mutation.cells().size();
      if (!skipsLog(mutation)) {
        logged.addAll(cells, at, end);
      }
      at = end;
    }
    return logged;
  }
}
