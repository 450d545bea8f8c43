package dev.cairn.coprocessor.split;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/** The services of a server that show a split policy the regions of its own table. */
final class RegionsOfTable {
  private RegionsOfTable() {}

  static RegionServerServices services(TableName table, Supplier<List<Region>> regions) {
    return (RegionServerServices)
        Proxy.newProxyInstance(
            RegionsOfTable.class.getClassLoader(),
            new Class<?>[] {RegionServerServices.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getRegions")
                  && arguments != null
                  && table.equals(arguments[0])) {
                return regions.get();
              }
              throw new UnsupportedOperationException(
                  "RegionServerServices."
                      + method.getName()
                      + " is not served to split policies by Cairn");
            });
  }
}
