package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogEntry;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalancerDecisionsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalancerDecisionsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalancerRejectionsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalancerRejectionsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RecentLogs.BalancerRejection;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** The class of a nested request names a log of the server. */
class NamedLogsTest {
  private final NamedLogs logs =
      new NamedLogs(
          "A server",
          List.of(
              new NamedLogs.Log<>(
                  BalancerDecisionsRequest.getDefaultInstance(),
                  request -> BalancerDecisionsResponse.getDefaultInstance()),
              new NamedLogs.Log<>(
                  BalancerRejectionsRequest.getDefaultInstance(), NamedLogsTest::rejections)));

  private static BalancerRejectionsResponse rejections(BalancerRejectionsRequest request) {
    return BalancerRejectionsResponse.newBuilder()
        .addBalancerRejection(BalancerRejection.newBuilder().setReason("at " + request.getLimit()))
        .build();
  }

  private static LogRequest request(String name, ByteString message) {
    return LogRequest.newBuilder().setLogClassName(name).setLogMessage(message).build();
  }

  @Test
  void theNamedLogAnswersTheNestedRequest() throws IOException {
    ByteString wanted = BalancerRejectionsRequest.newBuilder().setLimit(7).build().toByteString();

    LogEntry entry = logs.find(request(BalancerRejectionsRequest.class.getName(), wanted));

    assertThat(entry.getLogClassName()).isEqualTo(BalancerRejectionsResponse.class.getName());
    assertThat(BalancerRejectionsResponse.parseFrom(entry.getLogMessage()).getBalancerRejection(0))
        .extracting(BalancerRejection::getReason)
        .isEqualTo("at 7");
  }

  @Test
  void aRequestForAnotherLogIsRefusedAndNamesTheLogs() {
    assertThatThrownBy(() -> logs.find(request("java.lang.Runtime", ByteString.EMPTY)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage(
            "A server has no log for requests of the class java.lang.Runtime; it has logs for "
                + BalancerDecisionsRequest.class.getName()
                + ", "
                + BalancerRejectionsRequest.class.getName());
  }

  @Test
  void aNestedRequestThatCannotBeParsedIsRefused() {
    String name = BalancerDecisionsRequest.class.getName();

    assertThatThrownBy(() -> logs.find(request(name, ByteString.copyFromUtf8("\u0001"))))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageStartingWith("log_message is no " + name + ": ");
  }
}
