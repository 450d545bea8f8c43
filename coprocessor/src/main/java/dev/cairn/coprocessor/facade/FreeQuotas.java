package dev.cairn.coprocessor.facade;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.quotas.OperationQuota;
import org.apache.hadoop.hbase.quotas.RegionServerRpcQuotaManager;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Quotas without limits for the reads of coprocessors: Cairn throttles only the calls of clients. A
 * method of HBase that is not overridden here throws. Thread-safe.
 */
public class FreeQuotas extends RegionServerRpcQuotaManager {
  private static final Allocation<FreeQuotas> ALLOCATION =
      Allocation.of(FreeQuotas.class, RegionServerRpcQuotaManager.class);

  private static final OperationQuota FREE =
      new OperationQuota() {
        @Override
        public void checkBatchQuota(int writes, int reads, boolean isAtomic) {}

        @Override
        public void checkScanQuota(
            ClientProtos.ScanRequest scan, long block, long read, long previous) {}

        @Override
        public void close() {}

        @Override
        public void addGetResult(Result result) {}

        @Override
        public void addScanResult(List<Result> results) {}

        @Override
        public void addScanResultCells(List<Cell> cells) {}

        @Override
        public void addMutation(Mutation mutation) {}

        @Override
        public long getReadAvailable() {
          return Long.MAX_VALUE;
        }

        @Override
        public long getReadConsumed() {
          return 0;
        }
      };

  /** Never runs. */
  private FreeQuotas() {
    super(null);
  }

  /** Returns quotas for all regions and users. */
  static FreeQuotas quotas() {
    return ALLOCATION.object();
  }

  @Override
  public OperationQuota checkBatchQuota(Region region, OperationQuota.OperationType type) {
    return FREE;
  }

  @Override
  public OperationQuota checkBatchQuota(Region region, int writes, int reads, boolean isAtomic) {
    return FREE;
  }

  @Override
  public OperationQuota checkBatchQuota(
      Region region, List<ClientProtos.Action> actions, boolean hasCondition) {
    return FREE;
  }

  @Override
  public OperationQuota checkScanQuota(
      Region region, ClientProtos.ScanRequest scan, long block, long read, long previous) {
    return FREE;
  }

  @Override
  public OperationQuota getQuota(UserGroupInformation user, TableName table, int block) {
    return FREE;
  }
}
