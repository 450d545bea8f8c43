package dev.cairn.coprocessor.read;

import dev.cairn.coprocessor.facade.OperationHooks;
import dev.cairn.coprocessor.facade.Reader;
import dev.cairn.coprocessor.measure.MeasuredRegionHost;
import dev.cairn.server.regionserver.hooked.HookedTable;
import java.util.Set;

/**
 * The hooks of reads that the coprocessors of a region override; others are not called.
 *
 * @param host calls them
 * @param table limits the handlers of clients' calls
 * @param gets whether there are any of gets
 * @param afterGet whether hooks see the cells of gets
 * @param scans whether there are any of scans
 * @param calls whether hooks see the calls of scans
 * @param closes whether hooks see the end of scans
 * @param all whether any hooks take part in all reads
 * @param operations those around operations, which gets and scans have
 */
public record ReadHooks(
    MeasuredRegionHost host,
    HookedTable table,
    boolean gets,
    boolean afterGet,
    boolean scans,
    boolean calls,
    boolean closes,
    boolean all,
    OperationHooks operations) {
  /** The names of the hooks of gets. */
  private static final Set<String> GETS =
      Set.of("preGetOp", "postGetOp", "preExists", "postExists");

  private static final Set<String> OPENINGS = Set.of("preScannerOpen", "postScannerOpen");
  private static final Set<String> CALLS = Set.of("preScannerNext", "postScannerNext");
  private static final Set<String> CLOSES = Set.of("preScannerClose", "postScannerClose");

  /** Returns those among the overridden hooks of {@code RegionObserver}. */
  public static ReadHooks of(MeasuredRegionHost host, Set<String> overridden, HookedTable table) {
    boolean calls = any(overridden, CALLS);
    boolean closes = any(overridden, CLOSES);
    OperationHooks operations = OperationHooks.of(host, overridden);
    return new ReadHooks(
        host,
        table,
        operations.any() || any(overridden, GETS),
        overridden.contains("postGetOp"),
        operations.any() || calls || closes || any(overridden, OPENINGS),
        operations.any() || calls,
        closes,
        any(overridden, Reader.OF_ALL_READS),
        operations);
  }

  private static boolean any(Set<String> overridden, Set<String> names) {
    return names.stream().anyMatch(overridden::contains);
  }

  /** Tells whether there are any. */
  public boolean any() {
    return gets || scans || all;
  }
}
