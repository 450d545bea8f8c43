package dev.cairn.torture.cluster;

import dev.cairn.engine.region.IndexBuild;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Consistency;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;

/**
 * Checks the indexes of a cluster at rest: all are built, unless that has failed and is soon tried
 * again, and scans by them have the rows of scans without them, in regions and in their replicas.
 */
final class IndexCheck {
  /** More than a region has. */
  private static final int ROWS_MAX = 10_000;

  private final ClusterWorld world;
  private final ClusterClient client;

  IndexCheck(ClusterWorld world, ClusterClient client) {
    this.world = world;
    this.client = client;
  }

  /** Returns the violations, one sentence each. */
  List<String> complaints() throws IOException {
    List<String> complaints = new ArrayList<>();
    for (RegionServerProcess process : world.servers()) {
      for (HostedRegion region : process.server().orElseThrow().regions().open()) {
        if (!region.info().table().equals(NumbersTable.NAME)) {
          continue;
        }
        for (IndexBuild build : region.figures().indexBuilds()) {
          if (!build.isComplete() && build.problem().isEmpty()) {
            complaints.add("%s at %s: %s".formatted(region, process.name(), build));
          }
        }
        checkAnswers(region, process.name(), complaints);
      }
    }
    return complaints;
  }

  private void checkAnswers(HostedRegion region, ServerName server, List<String> complaints)
      throws IOException {
    for (boolean second : new boolean[] {false, true}) {
      ScanCalls.Numbers wanted = new ScanCalls.Numbers(2, 40, second, IndexHint.NEVER);
      List<CellProtos.Cell> expected = cells(region, server, wanted);
      List<CellProtos.Cell> found = cells(region, server, wanted.with(IndexHint.ALWAYS));
      if (!found.equals(expected)) {
        complaints.add(
            "%s at %s has %s by an index, but %s without one"
                .formatted(region, server, found, expected));
      }
    }
  }

  private List<CellProtos.Cell> cells(
      HostedRegion region, ServerName server, ScanCalls.Numbers wanted) throws IOException {
    Scan.Builder scan = Scan.newBuilder().setConsistency(Consistency.TIMELINE);
    wanted.addTo(scan);
    return client
        .callRegions(
            server,
            "Scan",
            ScanRequest.newBuilder()
                .setRegion(Messages.specifier(region.info()))
                .setScan(scan)
                .setNumberOfRows(ROWS_MAX)
                .setCloseScanner(true)
                .build(),
            ScanResponse.getDefaultInstance())
        .getResultsList()
        .stream()
        .flatMap(result -> result.getCellList().stream())
        .toList();
  }
}
