package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.DeleteType;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Batches, deletions and scans over all regions of a table, also while a server is killed. */
class RangeCallsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Map<String, Long> NUMBERS =
      new TreeMap<>(Map.of("10-a", 1L, "11-a", 2L, "30-a", 3L, "60-a", 4L, "90-a", 5L));

  @AutoClose private final ClusterWorld world = new ClusterWorld(1, Set.of());
  private final ClusterClient client =
      new ClusterClient(
          world.parts().scheduler().machine("10.0.3.1"), world.parts(), Duration.ofSeconds(5));
  private final ScanCalls scans = new ScanCalls(client, NumbersTable.NAME);
  private final List<String> acknowledged = new ArrayList<>();
  private final List<String> scanned = new ArrayList<>();

  @Test
  void aScanSeesTheRowsOfABatchUntilTheyAreDeleted() {
    perform(
        () -> {
          new BatchCalls(client, NumbersTable.NAME).put(NUMBERS, PATIENCE, acknowledged::add);
          scan("", "", () -> {});
          RowCalls rows = new RowCalls(client, NumbersTable.NAME);
          rows.delete("11-a", 2, DeleteType.DELETE_FAMILY, PATIENCE);
          rows.delete("60-a", 4, DeleteType.DELETE_MULTIPLE_VERSIONS, PATIENCE);
          rows.delete("90-a", 4, DeleteType.DELETE_FAMILY, PATIENCE);
          scan("11", "9", () -> {});
        });
    assertThat(acknowledged).containsExactlyInAnyOrderElementsOf(NUMBERS.keySet());
    assertThat(scanned).containsExactly("10-a=1", "11-a=2", "30-a=3", "60-a=4", "90-a=5", "30-a=3");
  }

  @Test
  void aScanGoesOnAfterItsServersDie() {
    perform(
        () -> {
          new BatchCalls(client, NumbersTable.NAME).put(NUMBERS, PATIENCE, acknowledged::add);
          scan(
              "",
              "",
              () -> {
                if (scanned.size() == 1) {
                  world.killServer(0);
                  world.killServer(1);
                }
              });
        });
    assertThat(scanned).containsExactly("10-a=1", "11-a=2", "30-a=3", "60-a=4", "90-a=5");
  }

  private void scan(String start, String stop, Runnable eachRow) throws IOException {
    scans.scan(
        start,
        stop,
        new ScanCalls.Paging(1, 0, false, 1_000_000, 0),
        PATIENCE,
        (row, value) -> {
          scanned.add(row + "=" + value);
          eachRow.run();
        });
  }

  /** Work of the client. */
  private interface Work {
    void run() throws IOException;
  }

  private void perform(Work work) {
    world.start(2, 3);
    assertThat(world.run(() -> world.leader().isPresent(), PATIENCE)).isTrue();
    List<IOException> result = new ArrayList<>();
    client
        .machine()
        .spawn(
            "client",
            () -> {
              try {
                NumbersTable.create(client, PATIENCE);
                work.run();
                result.add(new IOException("done"));
              } catch (IOException e) {
                result.add(e);
              }
            });
    world.run(() -> !result.isEmpty(), PATIENCE.multipliedBy(4));
    assertThat(result).singleElement().extracting(IOException::getMessage).isEqualTo("done");
  }
}
