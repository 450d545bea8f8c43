package dev.cairn.server.master.members;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.remote.ServerCalls;
import dev.cairn.server.rpc.client.ConnectionRefusedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.time.Duration;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.regionserver.LeaseException;
import org.apache.hadoop.hbase.regionserver.RegionServerAbortedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetServerInfoRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetServerInfoResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsMasterRunningRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsMasterRunningResponse;

/**
 * Finds out by a call whether a server lives. Stateless; blocks.
 *
 * @param calls makes the calls
 */
record ServerProbe(ServerCalls calls) {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** The result of a probe. */
  enum Answer {
    /** The server has answered. */
    ALIVE,
    /** The process has ended. */
    ENDED,
    /** The server runs, but answers no clients until it has heard from ZooKeeper again. */
    LEASE_OVER,
    /** The connection broke. */
    BROKEN,
    /** The server has not answered; it may live. */
    NONE
  }

  private interface Call {
    /** Calls the server; tells whether the answer is of this life of the server. */
    boolean isAnswered() throws IOException;
  }

  /** Probes a region server. */
  Answer regionServer(ServerName server) {
    return probe(
        () -> {
          GetServerInfoResponse response =
              calls.call(
                  server,
                  "AdminService",
                  "GetServerInfo",
                  GetServerInfoRequest.getDefaultInstance(),
                  GetServerInfoResponse.getDefaultInstance(),
                  TIMEOUT);
          ServerName there = ServerName.of(response.getServerInfo().getServerName());
          return there.startCode() <= server.startCode();
        });
  }

  /** Probes a master. */
  Answer master(ServerName server) {
    return probe(
        () -> {
          calls.call(
              server,
              "MasterService",
              "IsMasterRunning",
              IsMasterRunningRequest.getDefaultInstance(),
              IsMasterRunningResponse.getDefaultInstance(),
              TIMEOUT);
          return true;
        });
  }

  private static Answer probe(Call call) {
    try {
      return call.isAnswered() ? Answer.ALIVE : Answer.ENDED;
    } catch (ConnectionRefusedException | RegionServerAbortedException e) {
      return Answer.ENDED;
    } catch (LeaseException e) {
      return Answer.LEASE_OVER;
    } catch (ConnectionClosedException e) {
      return Answer.BROKEN;
    } catch (ConnectException | CallTimeoutException | InterruptedIOException e) {
      return Answer.NONE;
    } catch (IOException e) {
      return Answer.ALIVE; // It answers with an error, for example while it starts or stops.
    }
  }
}
