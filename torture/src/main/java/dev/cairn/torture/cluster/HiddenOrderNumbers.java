package dev.cairn.torture.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Gives each order that arrives at a region server a new number, so that the server takes a late or
 * repeated order for a new one ({@link Guard#ORDER}). The server's reports have the real numbers.
 */
final class HiddenOrderNumbers implements MessageFilter {
  private final Map<Long, Long> real = new HashMap<>(); // never iterated
  private long next = 1L << 40;

  private long hidden(long number) {
    real.put(++next, number);
    return next;
  }

  @Override
  public byte[] received(String method, byte[] request) {
    try {
      return switch (method) {
        case "OpenRegion" -> hide(OpenRegionRequest.parseFrom(request).toBuilder()).toByteArray();
        case "CloseRegion" -> hide(CloseRegionRequest.parseFrom(request).toBuilder()).toByteArray();
        case "ExecuteProcedures" -> {
          ExecuteProceduresRequest.Builder orders =
              ExecuteProceduresRequest.parseFrom(request).toBuilder();
          orders.getOpenRegionBuilderList().forEach(this::hide);
          orders.getCloseRegionBuilderList().forEach(this::hide);
          yield orders.build().toByteArray();
        }
        default -> request;
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private OpenRegionRequest hide(OpenRegionRequest.Builder open) {
    open.getOpenInfoBuilderList()
        .forEach(region -> region.setOpenProcId(hidden(region.getOpenProcId())));
    return open.build();
  }

  private CloseRegionRequest hide(CloseRegionRequest.Builder close) {
    return close.setCloseProcId(hidden(close.getCloseProcId())).build();
  }

  @Override
  public Message sent(Message message) {
    if (!(message instanceof ReportRegionStateTransitionRequest request)) {
      return message;
    }
    ReportRegionStateTransitionRequest.Builder report = request.toBuilder();
    for (RegionStateTransition.Builder transition : report.getTransitionBuilderList()) {
      for (int i = 0; i < transition.getProcIdCount(); i++) {
        long number = transition.getProcId(i);
        transition.setProcId(i, real.getOrDefault(number, number));
      }
    }
    return report.build();
  }
}
