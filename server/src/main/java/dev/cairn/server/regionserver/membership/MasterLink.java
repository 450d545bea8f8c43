package dev.cairn.server.regionserver.membership;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.GetLastFlushedSequenceIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionSpaceUseReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportProcedureDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;

/**
 * Sends a region server's messages to the active master. Every method fails with an {@link
 * IOException} if no master can be reached; the caller tries again later. Thread-safe.
 */
public interface MasterLink {
  /** Reports that the server has started and accepts regions. */
  void startup(RegionServerStartupRequest request) throws IOException;

  /**
   * Reports the state of the server. Without a load, fails soon if the master does not answer.
   *
   * @throws DeclaredDeadException if the master gave the server up
   */
  void report(RegionServerReportRequest request) throws IOException;

  /**
   * Reports a transition of a region.
   *
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if the master does not agree, so that a
   *     region that was opened must not serve
   */
  void transition(ReportRegionStateTransitionRequest request) throws IOException;

  /** Reports which orders to split logs were carried out, and which failed. */
  void procedureDone(ReportProcedureDoneRequest request) throws IOException;

  /**
   * Asks the master up to which sequence number a region is in store files. Fails soon if the
   * master does not answer.
   *
   * @param region the encoded name
   */
  GetLastFlushedSequenceIdResponse flushed(String region) throws IOException;

  /** Reports the sizes of regions. */
  void spaceUse(RegionSpaceUseReportRequest request) throws IOException;

  /** Reports the reason why the server aborts. */
  void fatal(ReportRSFatalErrorRequest request) throws IOException;

  /** The master has given this server up, and opens its regions elsewhere. */
  final class DeclaredDeadException extends IOException {
    /** Creates the exception with the master's message. */
    public DeclaredDeadException(String message) {
      super(message);
    }
  }
}
