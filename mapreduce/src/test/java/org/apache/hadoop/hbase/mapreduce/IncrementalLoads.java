package org.apache.hadoop.hbase.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.mapreduce.Job;

/** Prepares loads of several tables; in this package, because {@code TableInfo} is not public. */
public final class IncrementalLoads {
  private IncrementalLoads() {}

  /** Lets {@code job} write files for the regions of all {@code names}. */
  public static void configure(Job job, Connection connection, List<TableName> names)
      throws IOException {
    List<HFileOutputFormat2.TableInfo> tables = new ArrayList<>();
    for (TableName name : names) {
      try (Table table = connection.getTable(name)) {
        tables.add(
            new HFileOutputFormat2.TableInfo(
                table.getDescriptor(), connection.getRegionLocator(name)));
      }
    }
    MultiTableHFileOutputFormat.configureIncrementalLoad(job, tables);
  }
}
