package dev.cairn.coprocessor.facade;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scanners of one region that hooks have not closed at the end of the client's scan. Each keeps
 * its store files until it is closed, or the region is. Many such scanners are logged with the name
 * of the region. Thread-safe.
 */
final class KeptScanners {
  /**
   * The number of scanners at which a line is logged; another line follows each time the number
   * doubles.
   */
  static final int MANY = 100;

  private static final Logger LOG = LoggerFactory.getLogger(KeptScanners.class);

  private final Set<ScannerFacade> scanners = ConcurrentHashMap.newKeySet();
  private final AtomicInteger next = new AtomicInteger(MANY);

  /** Adds a scanner, unless it is closed. */
  void add(ScannerFacade scanner) {
    scanners.add(scanner);
    if (scanner.isClosed()) {
      scanners.remove(scanner);
      return;
    }
    int count = scanners.size();
    int limit = next.get();
    if (count >= limit && next.compareAndSet(limit, 2 * limit)) {
      LOG.warn(
          "Coprocessors of {} keep {} scanners whose clients have ended. They keep store files"
              + " until they are closed or the region is",
          scanner.getRegionInfo().getRegionNameAsString(),
          count);
    }
  }

  /** Removes a closed scanner. */
  void remove(ScannerFacade scanner) {
    scanners.remove(scanner);
  }

  int count() {
    return scanners.size();
  }
}
