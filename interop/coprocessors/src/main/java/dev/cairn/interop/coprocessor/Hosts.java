package dev.cairn.interop.coprocessor;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.master.MasterCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionServerCoprocessorHost;

/**
 * The hosts of coprocessors that Cairn has made in this JVM: the last of each region, of the region
 * server and of the master. Those of tests themselves do not count. Thread-safe.
 */
public final class Hosts {
  private static final Map<String, RegionCoprocessorHost> OF_REGIONS = new LinkedHashMap<>();
  private static RegionServerCoprocessorHost ofServer;
  private static MasterCoprocessorHost ofMaster;

  private Hosts() {}

  /** Called at the end of the constructors of HBase's hosts. */
  public static synchronized void note(CoprocessorHost<?, ?> host) {
    if (!host.getClass().getName().startsWith("dev.cairn.")
        && !madeByCairn(Thread.currentThread().getStackTrace())) {
      return;
    }
    if (host instanceof RegionCoprocessorHost one) {
      OF_REGIONS.put(region(one).getRegionInfo().getEncodedName(), one);
    } else if (host instanceof RegionServerCoprocessorHost one) {
      ofServer = one;
    } else if (host instanceof MasterCoprocessorHost one) {
      ofMaster = one;
    }
  }

  /** Called at the end of {@code postClose} of a region's host. */
  public static synchronized void closed(RegionCoprocessorHost host) {
    OF_REGIONS.values().remove(host);
  }

  private static boolean madeByCairn(StackTraceElement[] stack) {
    for (StackTraceElement one : stack) {
      if (one.getClassName().startsWith("dev.cairn.coprocessor.")) {
        return true;
      }
    }
    return false;
  }

  private static HRegion region(RegionCoprocessorHost host) {
    try {
      Field field = RegionCoprocessorHost.class.getDeclaredField("region");
      field.setAccessible(true);
      return (HRegion) field.get(host);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static synchronized void clear() {
    OF_REGIONS.clear();
    ofServer = null;
    ofMaster = null;
  }

  /** Returns the regions with coprocessors. */
  static synchronized List<HRegion> regions() {
    List<HRegion> all = new ArrayList<>();
    OF_REGIONS.values().forEach(host -> all.add(region(host)));
    return all;
  }

  /** Returns the host of a region. */
  public static synchronized RegionCoprocessorHost ofRegion(HRegion region) {
    return OF_REGIONS.get(region.getRegionInfo().getEncodedName());
  }

  static synchronized RegionServerCoprocessorHost ofServer() {
    if (ofServer == null) {
      throw NotServed.of("RegionServerCoprocessorHost");
    }
    return ofServer;
  }

  static synchronized MasterCoprocessorHost ofMaster() {
    if (ofMaster == null) {
      throw NotServed.of("MasterCoprocessorHost");
    }
    return ofMaster;
  }
}
