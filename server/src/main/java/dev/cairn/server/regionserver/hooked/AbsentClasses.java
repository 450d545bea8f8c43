package dev.cairn.server.regionserver.hooked;

import dev.cairn.engine.schema.TableName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The coprocessors that the site or a table names, and that are left out or removed because {@code
 * hbase.coprocessor.abortonerror} is false. Thread-safe.
 */
public final class AbsentClasses {
  private final Map<Object, List<Absent>> byOwner = new LinkedHashMap<>(); // guarded by this

  /**
   * A class that does not run.
   *
   * @param place where it does not run: a table, or the servers that would load it
   * @param source the site's key, or the table's attribute, that names it
   * @param isRemoved whether it ran and was removed; otherwise it was left out at the start
   * @param reason a sentence without a full stop
   */
  public record Absent(
      String place, String className, String source, boolean isRemoved, String reason) {
    /** Returns the state for users. */
    public String state() {
      return isRemoved ? "removed" : "left out";
    }
  }

  /** Returns the place of a class in the regions of a table. */
  public static String place(TableName table) {
    return "table " + table;
  }

  /**
   * Adds a class.
   *
   * @param owner what runs without it, until {@link #ended}
   */
  public synchronized void add(Object owner, Absent absent) {
    List<Absent> some = byOwner.computeIfAbsent(owner, any -> new ArrayList<>());
    if (!some.contains(absent)) {
      some.add(absent);
    }
  }

  /** Forgets the classes of an owner, which has ended. */
  public synchronized void ended(Object owner) {
    byOwner.remove(owner);
  }

  /** Returns all, each with the number of its owners, such as regions of a table. */
  public synchronized Map<Absent, Integer> all() {
    Map<Absent, Integer> all = new LinkedHashMap<>();
    byOwner.values().forEach(some -> some.forEach(one -> all.merge(one, 1, Integer::sum)));
    return all;
  }
}
