package dev.cairn.coprocessor.facade;

import dev.cairn.engine.store.CompactionNeed;
import dev.cairn.engine.store.StoreFileHook.Candidate;
import dev.cairn.engine.store.StoreStatistics;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.coprocessor.ReadOnlyConfiguration;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.apache.hadoop.hbase.regionserver.MemStoreSizes;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * A family of a region as its coprocessors see it. Methods that are not overridden here throw
 * {@link UnsupportedOperationException}. Thread-safe.
 */
public class StoreFacade extends HStore {
  private static final String PURGE_DELETES = "hbase.hstore.time.to.purge.deletes";

  private static final Allocation<StoreFacade> ALLOCATION =
      Allocation.of(StoreFacade.class, HStore.class);
  private static final Allocation<StoreFileReader> READERS =
      Allocation.of(StoreFileReader.class, StoreFileReader.class);

  /** All of the object's state: fields cannot be final, as no constructor runs. */
  private Parts parts;

  private record Parts(
      RegionFacade facade,
      RegionInfo region,
      ColumnFamilyDescriptor family,
      Configuration settings,
      ScanInfo scans,
      StoragePaths paths,
      Path folder) {}

  /** Never runs. */
  private StoreFacade() throws IOException {
    super((HRegion) null, null, null, false);
  }

  /**
   * Returns the facade of a family of a region.
   *
   * @param of the facade of the region, which may not know its descriptor yet
   * @param settings those of the region, which may refer to others
   * @param folder where the files of the family lie
   */
  static StoreFacade of(
      RegionFacade of,
      RegionInfo region,
      ColumnFamilyDescriptor family,
      Configuration settings,
      StoragePaths paths,
      Path folder) {
    Configuration own =
        new CompoundConfiguration()
            .add(settings)
            .addStringMap(family.getConfiguration())
            .addBytesMap(family.getValues());
    int seconds = family.getTimeToLive();
    long ttl = seconds == HConstants.FOREVER ? Long.MAX_VALUE : TimeUnit.SECONDS.toMillis(seconds);
    long purge = Math.max(own.getLong(PURGE_DELETES, 0), 0);
    StoreFacade facade = ALLOCATION.object();
    facade.parts =
        new Parts(
            of,
            region,
            family,
            own,
            new ScanInfo(own, family, ttl, purge, MeasuredRegion.comparator(region)),
            paths,
            folder);
    return facade;
  }

  /** Returns a path in the root directory as coprocessors see it. */
  public Path path(String inRoot) {
    return parts.paths().of(inRoot);
  }

  /** Returns the file system of the store's files. */
  public FileSystem fileSystem() throws IOException {
    return parts.folder().getFileSystem(parts.paths().settings().get());
  }

  @Override
  public FileSystem getFileSystem() {
    try {
      return fileSystem();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a file of the store as coprocessors see it. */
  public HStoreFile file(Candidate file) {
    return FileFacade.of(parts.folder(), file, getComparator());
  }

  /** Returns an object in place of the reader of a file. All of its methods throw. */
  public StoreFileReader reader() {
    return READERS.object();
  }

  private List<Candidate> files() {
    return parts
        .facade()
        .hosted()
        .map(region -> region.files().of(parts.family().getName()))
        .orElse(List.of());
  }

  /** Returns the files as they are now; none before the region has opened. */
  @Override
  public Collection<HStoreFile> getStorefiles() {
    return files().stream().map(this::file).toList();
  }

  @Override
  public int getStorefilesCount() {
    return files().size();
  }

  @Override
  public long getStorefilesSize() {
    return files().stream().mapToLong(Candidate::bytes).sum();
  }

  @Override
  public long getSize() {
    return getStorefilesSize();
  }

  @Override
  public OptionalLong getMaxSequenceId() {
    return files().stream().mapToLong(Candidate::sequence).max();
  }

  @Override
  public boolean hasReferences() {
    return files().stream().anyMatch(Candidate::isReference);
  }

  @Override
  public long getNumReferenceFiles() {
    return files().stream().filter(Candidate::isReference).count();
  }

  @Override
  public long getNumHFiles() {
    return files().size() - getNumReferenceFiles();
  }

  @Override
  public long getHFilesSize() {
    return files().stream().filter(file -> !file.isReference()).mapToLong(Candidate::bytes).sum();
  }

  @Override
  public boolean canSplit() {
    return !hasReferences();
  }

  private StoreStatistics statistics() {
    return parts.facade().statistics(parts.family().getName());
  }

  @Override
  public long getStoreSizeUncompressed() {
    return statistics().uncompressedBytes();
  }

  /** Returns the ages of the files that are not references and record their creation. */
  private LongStream ages() {
    long now = clock().currentTimeMillis();
    return statistics().files().stream()
        .filter(file -> !file.isReference() && file.createdMillis() > 0)
        .mapToLong(file -> now - file.createdMillis());
  }

  @Override
  public OptionalLong getMaxStoreFileAge() {
    return ages().max();
  }

  @Override
  public OptionalLong getMinStoreFileAge() {
    return ages().min();
  }

  @Override
  public OptionalDouble getAvgStoreFileAge() {
    return ages().average();
  }

  private static MemStoreSize size(StoreStatistics.Memory memory) {
    return MemStoreSizes.of(memory.dataBytes(), memory.heapBytes(), memory.cells());
  }

  /** Returns the size of the part that takes writes. */
  @Override
  public MemStoreSize getMemStoreSize() {
    return size(statistics().active());
  }

  /** Returns the size of the part that a flush writes, or is to write. */
  @Override
  public MemStoreSize getSnapshotSize() {
    return size(statistics().frozen());
  }

  /** Returns the size of the part that the next flush writes. */
  @Override
  public MemStoreSize getFlushableSize() {
    StoreStatistics now = statistics();
    return size(now.frozen().dataBytes() > 0 ? now.frozen() : now.active());
  }

  /** Returns the server's clock. */
  public Clock clock() {
    return parts.facade().clock();
  }

  @Override
  public long timeOfOldestEdit() {
    return statistics().oldestUnflushedMillis();
  }

  /** Returns false: there are no compactions in memory. */
  @Override
  public boolean isSloppyMemStore() {
    return false;
  }

  private CompactionNeed need() {
    return parts
        .facade()
        .hosted()
        .flatMap(region -> region.figures().compactionNeed(parts.family().getName()))
        .orElse(CompactionNeed.NONE);
  }

  @Override
  public boolean needsCompaction() {
    return need().hasFiles();
  }

  @Override
  public boolean hasTooManyStoreFiles() {
    return need().hasTooManyFiles();
  }

  @Override
  public double getCompactionPressure() {
    return need().pressure();
  }

  /** Returns how long a file without newer cells is kept, milliseconds. */
  @Override
  public long getStoreFileTtl() {
    ScanInfo scans = parts.scans();
    return scans.getMinVersions() == 0 ? scans.getTtl() : Long.MAX_VALUE;
  }

  @Override
  public long getMemStoreFlushSize() {
    return parts.facade().getMemStoreFlushSize();
  }

  @Override
  public HRegion getHRegion() {
    return parts.facade();
  }

  @Override
  public ScanInfo getScanInfo() {
    return parts.scans();
  }

  @Override
  public ColumnFamilyDescriptor getColumnFamilyDescriptor() {
    return parts.family();
  }

  @Override
  public String getColumnFamilyName() {
    return parts.family().getNameAsString();
  }

  @Override
  public RegionInfo getRegionInfo() {
    return parts.region();
  }

  @Override
  public TableName getTableName() {
    return parts.region().getTable();
  }

  @Override
  public CellComparator getComparator() {
    return parts.scans().getComparator();
  }

  @Override
  public Configuration getReadOnlyConfiguration() {
    return new ReadOnlyConfiguration(parts.settings());
  }

  @Override
  public boolean isPrimaryReplicaStore() {
    return RegionReplicaUtil.isDefaultReplica(parts.region());
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return getColumnFamilyName();
  }
}
