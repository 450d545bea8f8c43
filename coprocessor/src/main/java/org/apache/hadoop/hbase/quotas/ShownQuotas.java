package org.apache.hadoop.hbase.quotas;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;

/**
 * Creates HBase's objects of quotas. In HBase's package, because their constructors are visible
 * there alone.
 */
public final class ShownQuotas {
  private ShownQuotas() {}

  /**
   * Returns the settings of a target, of which the parameters that do not name it are null.
   *
   * @param quotas its settings; null if it has none
   */
  public static GlobalQuotaSettings of(
      String user, TableName table, String namespace, String regionServer, Quotas quotas) {
    return new GlobalQuotaSettingsImpl(
        user,
        table,
        namespace,
        regionServer,
        quotas == null ? Quotas.getDefaultInstance() : quotas);
  }

  /** Returns settings after a change; null if it leaves none. */
  public static GlobalQuotaSettings changed(GlobalQuotaSettings settings, SetQuotaRequest change)
      throws IOException {
    return ((GlobalQuotaSettingsImpl) settings).merge(QuotaSettings.buildFromProto(change));
  }
}
