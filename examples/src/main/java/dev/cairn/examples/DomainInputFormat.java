package dev.cairn.examples;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;

/**
 * A splitter of one's own: each map task gets artifacts of one domain and one region. The inherited
 * method makes a split for each region; this class divides those at the first rows of domains.
 */
public final class DomainInputFormat extends TableInputFormat {
  private static final List<String> DOMAINS = List.of("com.", "com/", "io.", "io/", "org.", "org/");

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    List<InputSplit> splits = new ArrayList<>();
    for (InputSplit split : super.getSplits(context)) {
      divide((TableSplit) split, splits);
    }
    return splits;
  }

  private static void divide(TableSplit region, List<InputSplit> splits) throws IOException {
    List<byte[]> borders = new ArrayList<>();
    borders.add(region.getStartRow());
    for (String domain : DOMAINS) {
      byte[] border = Bytes.toBytes(domain);
      if (Bytes.compareTo(border, region.getStartRow()) > 0 && isBefore(border, region)) {
        borders.add(border);
      }
    }
    borders.add(region.getEndRow());
    int parts = borders.size() - 1;
    for (int i = 0; i < parts; i++) {
      splits.add(
          new TableSplit(
              region.getTable(),
              region.getScan(),
              borders.get(i),
              borders.get(i + 1),
              region.getRegionLocation(),
              region.getEncodedRegionName(),
              region.getLength() / parts));
    }
  }

  /** A region without an end is the table's last one. */
  private static boolean isBefore(byte[] border, TableSplit region) {
    byte[] end = region.getEndRow();
    return Bytes.equals(end, HConstants.EMPTY_END_ROW) || Bytes.compareTo(border, end) < 0;
  }
}
