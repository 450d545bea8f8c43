package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.scan.RegionRead;
import dev.cairn.server.filter.FilterAdapter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;

/**
 * A client's scan between hooks, which may have changed it, or serve its rows themselves. All
 * methods but {@link #closeElsewhere}, {@link #suspend} and {@link #stop} are for a thread that may
 * wait, and for one at a time.
 */
public interface HookedScan extends RegionRead {
  /** Returns the maximum number of cells of a result; -1 for whole rows. */
  int batch();

  /** Returns how many bytes of cells the client wants at once; no matter if not positive. */
  long maxResultSize();

  /** Tells whether heartbeats carry the scan's position. */
  boolean wantsCursor();

  /**
   * Tells whether the rows are those of a hook's own scanner: it may return nothing for a row that
   * continued, and rows after its filter needs no more.
   */
  boolean isForeign();

  /** Returns the filter of rows that are not foreign. */
  Optional<FilterAdapter> filter();

  /** Tells whether a foreign scanner's filter needs no more rows. */
  boolean isFilterDone() throws IOException;

  /** Tells whether the next two methods are to be called. */
  boolean hooksCalls();

  /**
   * Called before a call of the client that wants rows.
   *
   * @param results receives results that come first in the answer
   * @param rows the maximum number of results
   * @return true if these are all results of the call
   */
  boolean beforeRows(List<Result> results, int rows) throws IOException;

  /**
   * Called after the rows of a call have been read.
   *
   * @param results all results of the call, to be changed
   * @param rows the maximum number of results
   */
  void afterRows(List<Result> results, int rows) throws IOException;

  /** Tells whether a scan that has no more to do may be closed. Asked at most once. */
  boolean mayClose() throws IOException;

  /** Closes the scan soon, on another thread: for threads that must not wait. */
  void closeElsewhere();
}
