package dev.cairn.studies.names;

import dev.cairn.keys.KeyPattern;
import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/** The names of pages in the keys. */
record PlainNames(String name, ViewTable views) implements Design<View, Pages> {
  static PlainNames of(String name, DataBlockEncoding encoding) {
    return new PlainNames(name, ViewTable.of("page string, time timestamp", encoding));
  }

  @Override
  public String layout() {
    return views.format() + ": f:v";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(views.table());
  }

  @Override
  public FactWriter<View> writer(Connection connection) throws IOException {
    return new MutatorWriter<>(connection, ViewTable.NAME, view -> views.put(view.page(), view));
  }

  @Override
  public List<View> answer(Connection connection, Pages asked) throws IOException {
    if (asked.section().isPresent()) {
      Scan scan =
          new Scan().setStartStopRowForPrefixScan(Bytes.toBytes(asked.section().orElseThrow()));
      return asked.sorted(Scans.list(connection, ViewTable.NAME, scan, this::view).stream());
    }
    KeyPattern pattern = views.format().pattern().in("page", asked.names().toArray());
    return asked.sorted(Scans.list(connection, ViewTable.NAME, pattern, this::view).stream());
  }

  private View view(Result row) {
    return views.view((String) views.page(row), row);
  }
}
