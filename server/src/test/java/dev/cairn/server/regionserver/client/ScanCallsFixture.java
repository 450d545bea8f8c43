package dev.cairn.server.regionserver.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.filter.TestFilters;
import dev.cairn.server.regionserver.FakeCall;
import dev.cairn.server.regionserver.FakeRegion;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.request.ScanMessage;
import dev.cairn.server.rpc.ManualClock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;

/** Answers scans, with a clock that the test moves, and one region that the test makes. */
public final class ScanCallsFixture {
  static final long LEASE_MILLIS = 60_000;

  public final ManualClock clock = new ManualClock();
  final OnlineRegions regions = new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  final OpenScanners scanners;
  public final FakeRegion region = new FakeRegion("");
  final FakeCall call = new FakeCall();
  final QueryDecoder decoder = new QueryDecoder(TestFilters.parser(getClass().getClassLoader()));
  final ScanCalls calls;

  public ScanCallsFixture() {
    this(MemoryAccount.unlimited());
  }

  /** Creates a fixture whose open scanners borrow from {@code memory}. */
  public ScanCallsFixture(MemoryAccount memory) {
    scanners = new OpenScanners(clock, LEASE_MILLIS, 1_000, memory);
    calls =
        new ScanCalls(
            regions,
            scanners,
            decoder,
            new CallTimes(clock, 20_000),
            () -> CallLimits.of(new SiteConfig(Map.of()), MemoryAccount.unlimited()));
  }

  /** Opens the region, as this. */
  public void host(HostedRegion hosted) {
    regions.beginOpening(region.info);
    regions.opened(hosted);
  }

  /** Answers a call. */
  public ScanResponse scan(ScanRequest request) throws IOException {
    return response(FakeCall.answer(calls.scan(call.handled(), message(request))));
  }

  /** Reads a response as a client does, from its bytes, which are those that protobuf writes. */
  static ScanResponse response(ScanAnswer answer) throws IOException {
    ByteBuf out = Unpooled.buffer(answer.size());
    answer.write(out);
    byte[] bytes = new byte[out.readableBytes()];
    out.readBytes(bytes);
    ScanResponse response = ScanResponse.parseFrom(bytes);
    assertThat(response.toByteArray()).isEqualTo(bytes);
    return response;
  }

  /** Reads a request as the server does, from its bytes. */
  static ScanMessage message(ScanRequest request) throws IOException {
    return ScanMessage.parse(request.toByteArray());
  }

  /** A call that opens a scan of everything and asks for so many rows. */
  public ScanRequest.Builder open(int rows) throws IOException {
    return open(new Scan(), rows);
  }

  public ScanRequest.Builder open(Scan scan, int rows) throws IOException {
    return ScanRequest.newBuilder()
        .setRegion(Messages.specifier(region.info))
        .setScan(ProtobufUtil.toScan(scan))
        .setNumberOfRows(rows)
        .setClientHandlesPartials(true)
        .setClientHandlesHeartbeats(true);
  }

  /** A call that goes on with a scan. */
  public static ScanRequest.Builder next(ScanResponse opened, long sequence, int rows) {
    return ScanRequest.newBuilder()
        .setScannerId(opened.getScannerId())
        .setNextCallSeq(sequence)
        .setNumberOfRows(rows)
        .setClientHandlesPartials(true)
        .setClientHandlesHeartbeats(true);
  }
}
