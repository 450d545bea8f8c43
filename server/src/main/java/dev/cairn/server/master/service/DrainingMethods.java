package dev.cairn.server.master.service;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DecommissionRegionServersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DecommissionRegionServersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListDecommissionedRegionServersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListDecommissionedRegionServersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RecommissionRegionServerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RecommissionRegionServerResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The methods of {@code MasterService} that empty region servers and fill them again. */
final class DrainingMethods {
  private static final Logger LOG = LoggerFactory.getLogger(DrainingMethods.class);

  private DrainingMethods() {}

  static void register(MethodGroup rpc) {
    rpc.cluster(
            "ListDecommissionedRegionServers",
            ListDecommissionedRegionServersRequest.getDefaultInstance())
        .ask(
            (master, r) ->
                ListDecommissionedRegionServersResponse.newBuilder()
                    .addAllServerName(
                        master.draining().decommissioned().stream()
                            .map(ServerName::message)
                            .toList())
                    .build());
    rpc.cluster("DecommissionRegionServers", DecommissionRegionServersRequest.getDefaultInstance())
        .complete(
            DecommissionRegionServersResponse.getDefaultInstance(), DrainingMethods::decommission);
    rpc.regions(
            "RecommissionRegionServer",
            RecommissionRegionServerRequest.getDefaultInstance(),
            RecommissionRegionServerRequest::getRegionList)
        .complete(
            RecommissionRegionServerResponse.getDefaultInstance(), DrainingMethods::recommission);
  }

  private static void decommission(
      ActiveMaster master, DecommissionRegionServersRequest request, Completion completion)
      throws DoNotRetryIOException {
    master
        .draining()
        .drain(
            request.getServerNameList().stream().map(ServerName::of).toList(),
            request.getOffload(),
            completion.then(
                () -> {
                  master.offload().look();
                  completion.done();
                }));
  }

  private static void recommission(
      ActiveMaster master, RecommissionRegionServerRequest request, Completion completion)
      throws DoNotRetryIOException {
    ServerName server = ServerName.of(request.getServerName());
    if (request.getRegionCount() > 0 && !master.servers().isLive(server)) {
      throw new DoNotRetryIOException("No region server " + server + " is alive");
    }
    List<RegionStateNode> regions = new ArrayList<>();
    for (RegionSpecifier region : request.getRegionList()) {
      byte[] name = region.getValue().toByteArray();
      Optional<RegionStateNode> node = RegionMethods.find(master, name);
      if (node.isEmpty()) {
        LOG.warn("No region {} is moved to {}: it is unknown", Bytes.toStringBinary(name), server);
      }
      node.ifPresent(regions::add);
    }
    master
        .draining()
        .restore(
            server,
            completion.then(
                () -> {
                  master.offload().bring(regions, server);
                  completion.done();
                }));
  }
}
