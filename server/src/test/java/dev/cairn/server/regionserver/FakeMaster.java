package dev.cairn.server.regionserver;

import dev.cairn.server.regionserver.membership.MasterLink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.GetLastFlushedSequenceIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionSpaceUseReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RemoteProcedureResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportProcedureDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;

/** A master that keeps the transitions that it hears of, and refuses them if the test says so. */
final class FakeMaster implements MasterLink {
  final List<RegionStateTransition> transitions = new ArrayList<>();

  /** The reports of orders that were carried out, or failed. */
  final List<RemoteProcedureResult> procedures = new ArrayList<>();

  /** The regions that were asked about. */
  final List<String> questions = new ArrayList<>();

  /** The answer to questions about regions. */
  GetLastFlushedSequenceIdResponse flushed =
      GetLastFlushedSequenceIdResponse.newBuilder().setLastFlushedSequenceId(-1).build();

  IOException answer;
  Runnable heard = () -> {};

  @Override
  public void startup(RegionServerStartupRequest request) {}

  @Override
  public void report(RegionServerReportRequest request) {}

  @Override
  public void transition(ReportRegionStateTransitionRequest request) throws IOException {
    transitions.addAll(request.getTransitionList());
    heard.run();
    if (answer != null) {
      throw answer;
    }
  }

  @Override
  public void procedureDone(ReportProcedureDoneRequest request) throws IOException {
    heard.run();
    if (answer != null) {
      throw answer;
    }
    procedures.addAll(request.getResultList());
  }

  @Override
  public GetLastFlushedSequenceIdResponse flushed(String region) throws IOException {
    questions.add(region);
    if (answer != null) {
      throw answer;
    }
    return flushed;
  }

  @Override
  public void spaceUse(RegionSpaceUseReportRequest request) {}

  @Override
  public void fatal(ReportRSFatalErrorRequest request) {}
}
