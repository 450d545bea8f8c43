package dev.cairn.coprocessor.split;

import dev.cairn.coprocessor.facade.Allocation;
import dev.cairn.server.split.SplitPolicy.Candidate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.CountedRegion;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/**
 * A region as its split policy sees it. Methods that are not overridden here throw {@link
 * UnsupportedOperationException}.
 */
public class PolicyRegion extends CountedRegion {
  private static final Allocation<PolicyRegion> ALLOCATION =
      Allocation.of(PolicyRegion.class, HRegion.class);

  /** A region before its policy is asked. */
  private static final Candidate NEW = new Candidate(List.of(), 1, 0, 0, 0, Optional::empty);

  /** All of the object's state. Fields cannot be final, because no constructor runs. */
  private Parts parts;

  private record Parts(
      RegionInfo info,
      TableDescriptor descriptor,
      List<HStore> stores,
      AtomicReference<Candidate> state) {}

  /** Never runs. */
  private PolicyRegion() {}

  /** Returns the view of a region without files. */
  public static PolicyRegion of(RegionInfo info, TableDescriptor descriptor) {
    PolicyRegion region = ALLOCATION.object();
    AtomicReference<Candidate> state = new AtomicReference<>(NEW);
    List<HStore> stores = new ArrayList<>();
    for (ColumnFamilyDescriptor family : descriptor.getColumnFamilies()) {
      stores.add(PolicyStore.of(family, stores.size(), state));
    }
    region.parts = new Parts(info, descriptor, Collections.unmodifiableList(stores), state);
    return region;
  }

  /** Sets what the policy sees. */
  void show(Candidate state) {
    parts.state().set(state);
  }

  Candidate shown() {
    return parts.state().get();
  }

  @Override
  public RegionInfo getRegionInfo() {
    return parts.info();
  }

  @Override
  public TableDescriptor getTableDescriptor() {
    return parts.descriptor();
  }

  @Override
  public List<HStore> getStores() {
    return parts.stores();
  }

  /** A policy is asked only while the region can be split. */
  @Override
  public boolean isAvailable() {
    return true;
  }

  @Override
  public long getWriteRequestsCount() {
    return shown().writes();
  }

  @Override
  public long getBlockedRequestsCount() {
    return shown().blockedWrites();
  }

  /** Returns the services of the server. Only {@code getRegions} is served. */
  @Override
  protected RegionServerServices services() {
    return RegionsOfTable.services(parts.descriptor().getTableName(), this::regionsOfTable);
  }

  /** Returns this region once for each region of the table on the server: policies count them. */
  private List<Region> regionsOfTable() {
    return Collections.nCopies(shown().regionsOfTable(), this);
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
    return parts.info().getRegionNameAsString();
  }
}
