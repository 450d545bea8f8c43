package dev.cairn.torture.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RemoteProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RemoteProcedureResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportProcedureDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Gives all masters the same epoch, so that region servers cannot tell them apart ({@link
 * Guard#EPOCH}). Filters the messages of one master.
 */
final class HiddenEpochs implements MessageFilter {
  private static final long SAME = 1_700_000_000_000L;
  private long own = SAME;

  @Override
  public Message sent(Message message) {
    if (message instanceof OpenRegionRequest open) {
      return hidden(open);
    }
    if (message instanceof CloseRegionRequest close) {
      return hidden(close);
    }
    if (message instanceof ExecuteProceduresRequest orders) {
      ExecuteProceduresRequest.Builder changed = orders.toBuilder().clearOpenRegion();
      changed.clearCloseRegion();
      changed.clearProc();
      orders.getProcList().forEach(procedure -> changed.addProc(hidden(procedure)));
      orders.getOpenRegionList().forEach(open -> changed.addOpenRegion(hidden(open)));
      orders.getCloseRegionList().forEach(close -> changed.addCloseRegion(hidden(close)));
      return changed.build();
    }
    if (message instanceof MultiRequest multi) {
      MultiRequest.Builder changed = multi.toBuilder();
      changed
          .getRegionActionBuilderList()
          .forEach(
              region ->
                  region
                      .getActionBuilderList()
                      .forEach(action -> action.getMutationBuilder().clearAttribute()));
      return changed.build();
    }
    return message;
  }

  private OpenRegionRequest hidden(OpenRegionRequest open) {
    own = open.getInitiatingMasterActiveTime();
    return open.toBuilder().setInitiatingMasterActiveTime(SAME).build();
  }

  private RemoteProcedureRequest hidden(RemoteProcedureRequest procedure) {
    own = procedure.getInitiatingMasterActiveTime();
    return procedure.toBuilder().setInitiatingMasterActiveTime(SAME).build();
  }

  private CloseRegionRequest hidden(CloseRegionRequest close) {
    own = close.getInitiatingMasterActiveTime();
    return close.toBuilder().setInitiatingMasterActiveTime(SAME).build();
  }

  private ReportProcedureDoneRequest shown(ReportProcedureDoneRequest request) {
    ReportProcedureDoneRequest.Builder report = request.toBuilder();
    for (RemoteProcedureResult.Builder result : report.getResultBuilderList()) {
      if (result.getInitiatingMasterActiveTime() == SAME) {
        result.setInitiatingMasterActiveTime(own);
      }
    }
    return report.build();
  }

  @Override
  public byte[] received(String method, byte[] request) {
    try {
      if (method.equals("ReportProcedureDone")) {
        return shown(ReportProcedureDoneRequest.parseFrom(request)).toByteArray();
      }
      if (!method.equals("ReportRegionStateTransition")) {
        return request;
      }
      ReportRegionStateTransitionRequest.Builder report =
          ReportRegionStateTransitionRequest.parseFrom(request).toBuilder();
      for (RegionStateTransition.Builder transition : report.getTransitionBuilderList()) {
        if (transition.getInitiatingMasterActiveTime() == SAME) {
          transition.setInitiatingMasterActiveTime(own);
        }
      }
      return report.build().toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
