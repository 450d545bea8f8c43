package dev.cairn.coprocessor.split;

import dev.cairn.coprocessor.facade.Allocation;
import dev.cairn.server.split.SplitPolicy.Candidate;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;

/**
 * A family of a region as the region's split policy sees it. Methods that are not overridden here
 * throw {@link UnsupportedOperationException}.
 */
public class PolicyStore extends HStore {
  private static final Allocation<PolicyStore> ALLOCATION =
      Allocation.of(PolicyStore.class, HStore.class);

  /** All of the object's state. Fields cannot be final, because no constructor runs. */
  private Parts parts;

  private record Parts(
      ColumnFamilyDescriptor family, int position, AtomicReference<Candidate> state) {}

  /** Never runs. */
  private PolicyStore() throws IOException {
    super((HRegion) null, null, null, false);
  }

  static PolicyStore of(
      ColumnFamilyDescriptor family, int position, AtomicReference<Candidate> state) {
    PolicyStore store = ALLOCATION.object();
    store.parts = new Parts(family, position, state);
    return store;
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
  public long getSize() {
    List<Long> sizes = parts.state().get().storeBytes();
    return parts.position() < sizes.size() ? sizes.get(parts.position()) : 0;
  }

  /** Returns the row at which the region would be split, which is the same for all families. */
  @Override
  public Optional<byte[]> getSplitPoint() {
    return parts.state().get().middle().get();
  }

  /** A policy is asked only while the region can be split. */
  @Override
  public boolean canSplit() {
    return true;
  }

  @Override
  public boolean hasReferences() {
    return false;
  }

  @Override
  public String toString() {
    return parts.family().getNameAsString();
  }
}
