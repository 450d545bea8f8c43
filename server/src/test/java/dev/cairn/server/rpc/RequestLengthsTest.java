package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests of all lengths are received whole, in however many pieces they come. */
@Timeout(60)
class RequestLengthsTest {
  private static final int LONGEST = 50_000;

  @Test
  void areReceivedOnFreshConnections() throws IOException {
    try (RpcFixture fixture = server()) {
      for (int length = 100; length <= LONGEST; length += 400) {
        try (RawConnection client = open(fixture)) {
          assertReceived(client, length);
        }
      }
    }
  }

  @Test
  void areReceivedOneBehindTheOther() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    try (RpcFixture fixture = server();
        RawConnection client = open(fixture)) {
      for (int i = 0; i < 200; i++) {
        assertReceived(client, 10 + random.nextInt(random.nextBoolean() ? 100 : LONGEST));
      }
    } catch (IOException e) {
      throw new IOException("seed " + seed, e);
    }
  }

  private static RpcFixture server() throws IOException {
    return new RpcFixture((call, request) -> found(isWhole(request.getGet().getRow())));
  }

  /** Tells whether a row ends as {@link #assertReceived} has it end. */
  private static boolean isWhole(ByteString row) {
    return row.endsWith(ByteString.copyFromUtf8("-" + row.size()));
  }

  private static RawConnection open(RpcFixture fixture) throws IOException {
    return RawConnection.open(fixture.address(), "ClientService", "");
  }

  private static void assertReceived(RawConnection client, int length) throws IOException {
    String end = "-" + length;
    client.send(call(length, "Get"), get("x".repeat(length - end.length()) + end));
    RawConnection.Response response = client.read();
    assertThat(response.header().getCallId()).isEqualTo(length);
    assertThat(GetResponse.parseFrom(response.message())).isEqualTo(found(true));
  }
}
