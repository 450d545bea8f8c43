package dev.cairn.coprocessor.facade;

import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.store.StoreStatistics;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.RegionMaintenance.Closing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MetaCellComparator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ReadOnlyConfiguration;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Implements the methods of a region that tell its state, sizes and counts. A region that is not
 * open yet has no cells and no requests. Thread-safe.
 */
abstract class MeasuredRegion extends WritableRegion {
  private volatile HostedRegion hosted; // null until the region is open
  private volatile RegionCoprocessorHost host; // null until the coprocessors have started
  private volatile boolean closing;
  private volatile boolean closed;

  /** Sets the region, which is open now. */
  public final void opened(HostedRegion region) {
    hosted = region;
  }

  /** Sets the coprocessors' host. */
  public final void hostedBy(RegionCoprocessorHost own) {
    host = own;
  }

  /**
   * Closes the region, while coprocessors see that it closes.
   *
   * @throws IOException if it stays open
   */
  public final void closedBy(Closing work, boolean abort) throws IOException {
    closing = true;
    try {
      work.close(abort);
      closed = true;
    } finally {
      closing = closed;
    }
  }

  /** Returns the settings of the region, not to be changed. */
  abstract Configuration settings();

  @Override
  public Configuration getReadOnlyConfiguration() {
    return new ReadOnlyConfiguration(settings());
  }

  /** Returns the open region; empty before it is open. */
  final Optional<HostedRegion> hosted() {
    return Optional.ofNullable(hosted);
  }

  private Optional<RegionStatistics> statistics() {
    return hosted().map(region -> region.figures().statistics());
  }

  /** Returns the statistics of a family's store. */
  final StoreStatistics statistics(byte[] family) {
    return hosted()
        .flatMap(region -> region.figures().storeStatistics(family))
        .orElse(StoreStatistics.EMPTY);
  }

  private Stream<StoreStatistics> stores() {
    return Stream.of(getTableDescriptor().getColumnFamilies())
        .map(family -> statistics(family.getName()));
  }

  /** Returns the coprocessors' host; null while they start, as in HBase. */
  @Override
  public RegionCoprocessorHost getCoprocessorHost() {
    return host;
  }

  @Override
  public boolean isClosing() {
    return closing;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public boolean isAvailable() {
    return !isClosed() && !isClosing();
  }

  @Override
  public boolean isReadOnly() {
    return getTableDescriptor().isReadOnly() || isReplica();
  }

  final boolean isReplica() {
    return !RegionReplicaUtil.isDefaultReplica(getRegionInfo());
  }

  @Override
  public boolean isMergeable() {
    return isAvailable() && !hasReferences();
  }

  @Override
  public boolean isSplittable() {
    return isMergeable() && !isReplica() && !getRegionInfo().isMetaRegion();
  }

  @Override
  public boolean hasReferences() {
    return hosted().map(region -> region.splits().hasReferences()).orElse(false);
  }

  /** Returns the number up to which all writes are in files; -1 before the region is open. */
  @Override
  public long getMaxFlushedSeqId() {
    return statistics().map(RegionStatistics::flushedSequence).orElse(HConstants.NO_SEQNUM);
  }

  /** Returns the number at which the region was opened; -1 before. */
  @Override
  public long getOpenSeqNum() {
    return statistics().map(RegionStatistics::openSequence).orElse(HConstants.NO_SEQNUM);
  }

  /** Returns the earliest time of the last flush of a store; the opening counts as a flush. */
  @Override
  public long getEarliestFlushTimeForAllStores() {
    return statistics()
        .orElseThrow(() -> new IllegalStateException(this + " is not open yet"))
        .lastFlushMillis();
  }

  /** Returns the creation time of the oldest file that records one; 0 if there is none. */
  @Override
  public long getOldestHfileTs(boolean ofMajorCompactions) {
    return ofMajorCompactions
        ? statistics().map(RegionStatistics::lastMajorCompactionMillis).orElse(0L)
        : stores()
            .flatMap(store -> store.files().stream())
            .mapToLong(StoreStatistics.FileAge::createdMillis)
            .filter(millis -> millis > 0)
            .min()
            .orElse(0);
  }

  @Override
  public List<String> getStoreFileList(byte[][] families) {
    List<String> paths = new ArrayList<>();
    for (byte[] family : families) {
      HStore store = getStore(family);
      if (store == null) {
        throw new IllegalArgumentException(this + " has no family " + Bytes.toStringBinary(family));
      }
      for (HStoreFile file : store.getStorefiles()) {
        paths.add(file.getPath().toString());
      }
    }
    return paths;
  }

  /** Returns the number of rows that clients have read since the opening. */
  @Override
  public long getReadRequestsCount() {
    return hosted().map(HostedRegion::readRequestCount).orElse(0L);
  }

  /** Returns the number of mutations of clients since the opening. */
  @Override
  public long getWriteRequestsCount() {
    return hosted().map(HostedRegion::writeRequestCount).orElse(0L);
  }

  /** Returns how many requests to write were refused because the memstores were full. */
  @Override
  public long getBlockedRequestsCount() {
    return hosted().map(region -> region.splits().blockedWrites()).orElse(0L);
  }

  @Override
  public long getMemStoreDataSize() {
    return stores()
        .mapToLong(store -> store.active().dataBytes() + store.frozen().dataBytes())
        .sum();
  }

  /** Returns the heap of the memstores, which is not 0 if they are empty. */
  @Override
  public long getMemStoreHeapSize() {
    return hosted().map(region -> region.flushes().memStoreBytes()).orElse(0L);
  }

  /** Returns 0: memstores are on the heap. */
  @Override
  public long getMemStoreOffHeapSize() {
    return 0;
  }

  @Override
  public long getMemStoreFlushSize() {
    long own = getTableDescriptor().getMemStoreFlushSize();
    return own > 0
        ? own
        : settings()
            .getLong(
                HConstants.HREGION_MEMSTORE_FLUSH_SIZE,
                TableDescriptorBuilder.DEFAULT_MEMSTORE_FLUSH_SIZE);
  }

  /** Tells which compactions run. */
  @Override
  public CompactionState getCompactionState() {
    boolean major = false;
    boolean minor = false;
    if (hosted().isPresent()) {
      for (var running : hosted().get().compactions().compactionProgress()) {
        major |= running.major();
        minor |= !running.major();
      }
    }
    if (major) {
      return minor ? CompactionState.MAJOR_AND_MINOR : CompactionState.MAJOR;
    }
    return minor ? CompactionState.MINOR : CompactionState.NONE;
  }

  @Override
  public int getMinBlockSizeBytes() {
    return Stream.of(getTableDescriptor().getColumnFamilies())
        .mapToInt(ColumnFamilyDescriptor::getBlocksize)
        .min()
        .orElse(HConstants.DEFAULT_BLOCKSIZE);
  }

  @Override
  public CellComparator getCellComparator() {
    return comparator(getRegionInfo());
  }

  /** Returns the order of the cells of a region. */
  static CellComparator comparator(RegionInfo region) {
    return region.isMetaRegion()
        ? MetaCellComparator.META_COMPARATOR
        : CellComparator.getInstance();
  }
}
