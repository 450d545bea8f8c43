package dev.cairn.torture.cluster;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;

/** Puts numbers to several rows of one table, with one call per server. */
final class BatchCalls {
  private final ClusterClient client;
  private final TableName table;

  BatchCalls(ClusterClient client, TableName table) {
    this.client = client;
    this.table = table;
  }

  /**
   * Puts numbers, each with a timestamp of the same value; repeats those that fail.
   *
   * @param done receives each row whose put was acknowledged, once
   * @throws IOException if not all rows have succeeded in time
   */
  void put(Map<String, Long> values, Duration patience, Consumer<String> done) throws IOException {
    Set<String> left = new TreeSet<>(values.keySet());
    client.callAll(
        table,
        left,
        Bytes::utf8,
        patience,
        (rows, server) -> {
          MultiResponse response =
              server.call(
                  "ClientService",
                  "Multi",
                  request(rows, values),
                  MultiResponse.getDefaultInstance());
          for (String row : succeeded(List.copyOf(rows.values()), response)) {
            if (left.remove(row)) {
              done.accept(row);
            }
          }
        });
  }

  private static MultiRequest request(
      Map<RegionInfo, List<String>> rows, Map<String, Long> values) {
    MultiRequest.Builder request = MultiRequest.newBuilder();
    rows.forEach(
        (region, some) -> {
          RegionAction.Builder actions =
              RegionAction.newBuilder().setRegion(Messages.specifier(region));
          for (int i = 0; i < some.size(); i++) {
            actions.addAction(
                Action.newBuilder()
                    .setIndex(i)
                    .setMutation(RowCalls.put(some.get(i), values.get(some.get(i)))));
          }
          request.addRegionAction(actions);
        });
    return request.build();
  }

  /** Returns the rows without an error of their own or of their region. */
  private static List<String> succeeded(List<List<String>> rows, MultiResponse response)
      throws IOException {
    if (response.getRegionActionResultCount() != rows.size()) {
      throw new IOException(
          "A batch for %d regions has %d results"
              .formatted(rows.size(), response.getRegionActionResultCount()));
    }
    List<String> succeeded = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      RegionActionResult region = response.getRegionActionResult(i);
      for (ResultOrException result : region.getResultOrExceptionList()) {
        if (!region.hasException() && !result.hasException()) {
          succeeded.add(rows.get(i).get(result.getIndex()));
        }
      }
    }
    return succeeded;
  }
}
