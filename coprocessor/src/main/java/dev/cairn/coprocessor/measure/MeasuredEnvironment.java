package dev.cairn.coprocessor.measure;

import java.io.IOException;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RawCellBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.quotas.OperationQuota;
import org.apache.hadoop.hbase.quotas.RpcQuotaManager;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/**
 * HBase's environment of a coprocessor in one region, which measures the coprocessor's hooks.
 * HBase's host asks for the class loader just before it calls the hook of a class: there the time
 * of the class before ends, and that of this class begins. Thread-safe.
 */
@SuppressWarnings("deprecation") // core coprocessors ask for their server
public class MeasuredEnvironment implements RegionCoprocessorEnvironment {
  private final RegionCoprocessorEnvironment own;
  private final ClassMeter meter;

  private MeasuredEnvironment(RegionCoprocessorEnvironment own, ClassMeter meter) {
    this.own = own;
    this.meter = meter;
  }

  /** Returns the same environment, measured by {@code meter}. */
  public static MeasuredEnvironment of(RegionCoprocessorEnvironment own, ClassMeter meter) {
    return own instanceof HasRegionServerServices server
        ? new OfCore(own, meter, server)
        : new MeasuredEnvironment(own, meter);
  }

  /** The same for a class to which HBase gives its server. */
  private static final class OfCore extends MeasuredEnvironment implements HasRegionServerServices {
    private final HasRegionServerServices server;

    OfCore(RegionCoprocessorEnvironment own, ClassMeter meter, HasRegionServerServices server) {
      super(own, meter);
      this.server = server;
    }

    @Override
    public RegionServerServices getRegionServerServices() {
      return server.getRegionServerServices();
    }
  }

  /** Returns HBase's own environment. */
  public RegionCoprocessorEnvironment own() {
    return own;
  }

  @Override
  public ClassLoader getClassLoader() {
    HookCall.reached(meter);
    return own.getClassLoader();
  }

  @Override
  public int getVersion() {
    return own.getVersion();
  }

  @Override
  public String getHBaseVersion() {
    return own.getHBaseVersion();
  }

  @Override
  public RegionCoprocessor getInstance() {
    return own.getInstance();
  }

  @Override
  public int getPriority() {
    return own.getPriority();
  }

  @Override
  public int getLoadSequence() {
    return own.getLoadSequence();
  }

  @Override
  public Configuration getConfiguration() {
    return own.getConfiguration();
  }

  @Override
  public Region getRegion() {
    return own.getRegion();
  }

  @Override
  public RegionInfo getRegionInfo() {
    return own.getRegionInfo();
  }

  @Override
  public OnlineRegions getOnlineRegions() {
    return own.getOnlineRegions();
  }

  @Override
  public ConcurrentMap<String, Object> getSharedData() {
    return own.getSharedData();
  }

  @Override
  public Connection getConnection() {
    return own.getConnection();
  }

  @Override
  public Connection createConnection(Configuration settings) throws IOException {
    return own.createConnection(settings);
  }

  @Override
  public ServerName getServerName() {
    return own.getServerName();
  }

  @Override
  public MetricRegistry getMetricRegistryForRegionServer() {
    return own.getMetricRegistryForRegionServer();
  }

  @Override
  public RawCellBuilder getCellBuilder() {
    return own.getCellBuilder();
  }

  @Override
  public RpcQuotaManager getRpcQuotaManager() {
    return own.getRpcQuotaManager();
  }

  @Override
  public OperationQuota checkScanQuota(Scan scan, long maxBytes, long lastBytes)
      throws IOException {
    return own.checkScanQuota(scan, maxBytes, lastBytes);
  }

  @Override
  public OperationQuota checkBatchQuota(Region region, OperationQuota.OperationType type)
      throws IOException {
    return own.checkBatchQuota(region, type);
  }

  @Override
  public OperationQuota checkBatchQuota(Region region, int writes, int reads) throws IOException {
    return own.checkBatchQuota(region, writes, reads);
  }
}
