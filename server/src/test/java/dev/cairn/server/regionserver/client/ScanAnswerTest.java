package dev.cairn.server.regionserver.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Cursor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.QueryMetrics;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameInt64Pair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MapReduceProtos.ScanMetrics;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** The response of a scan has the bytes that protobuf writes. */
class ScanAnswerTest {
  private final Random random = new Random(5);

  @Test
  void hasTheBytesThatProtobufWrites() {
    for (int i = 0; i < 5_000; i++) {
      assertSame();
    }
  }

  @Test
  void aResultMayTurnOutToBeTheRowsLast() {
    ScanAnswer beside = answer();
    beside.add(3, true);
    beside.completeLast();
    assertThat(bytes(beside))
        .isEqualTo(
            expected().addCellsPerResult(3).addPartialFlagPerResult(false).build().toByteArray());
    ScanAnswer within = answer();
    within.add(Result.newBuilder().setPartial(true).build());
    within.completeLast();
    assertThat(bytes(within))
        .isEqualTo(expected().addResults(Result.getDefaultInstance()).build().toByteArray());
  }

  @Test
  void goesOnOnlyIfRegionAndScanDo() {
    ScanAnswer answer = answer();
    assertThat(answer.hasMore()).as("nothing is said").isFalse();
    answer.more(true, true);
    assertThat(answer.hasMore()).isTrue();
    answer.more(false, true);
    assertThat(answer.hasMore()).isFalse();
    answer.more(true, false);
    assertThat(answer.hasMore()).isFalse();
  }

  private void assertSame() {
    long id = random.nextBoolean() ? random.nextLong() : random.nextInt(1000);
    int lease = random.nextInt(100_000);
    boolean stale = random.nextBoolean();
    OptionalLong readPoint =
        random.nextBoolean() ? OptionalLong.of(random.nextInt(1 << 20)) : OptionalLong.empty();
    ScanAnswer answer = new ScanAnswer(id, lease, stale, readPoint);
    ScanResponse.Builder expected =
        ScanResponse.newBuilder().setScannerId(id).setTtl(lease).setStale(stale);
    readPoint.ifPresent(expected::setMvccReadPoint);
    for (int i = random.nextInt(4) * random.nextInt(40); i > 0; i--) {
      int cells = 1 + random.nextInt(1 << random.nextInt(20));
      boolean partial = random.nextInt(4) == 0;
      answer.add(cells, partial);
      expected.addCellsPerResult(cells).addPartialFlagPerResult(partial);
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      byte[] value = new byte[random.nextInt(500)];
      random.nextBytes(value);
      CellProtos.Cell cell =
          CellProtos.Cell.newBuilder().setValue(ByteString.copyFrom(value)).build();
      Result result =
          random.nextBoolean()
              ? Result.newBuilder().setAssociatedCellCount(random.nextInt(500)).build()
              : Result.newBuilder().addCell(cell).addCell(cell).build();
      answer.add(result);
      expected.addResults(result);
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      long looked = random.nextInt();
      answer.addFigures(looked);
      expected.addQueryMetrics(QueryMetrics.newBuilder().setBlockBytesScanned(looked));
    }
    if (random.nextBoolean()) {
      boolean inRegion = random.nextBoolean();
      boolean inScan = random.nextBoolean();
      answer.more(inRegion, inScan);
      expected.setMoreResultsInRegion(inRegion).setMoreResults(inScan);
    } else if (random.nextBoolean()) {
      answer.noMore();
      expected.setMoreResults(false);
    }
    if (random.nextBoolean()) {
      answer.heartbeat();
      expected.setHeartbeatMessage(true);
    }
    if (random.nextBoolean()) {
      byte[] row = new byte[1 + random.nextInt(200)];
      answer.cursor(row);
      expected.setCursor(Cursor.newBuilder().setRow(ByteString.copyFrom(row)));
    }
    if (random.nextBoolean()) {
      ScanMetrics figures =
          ScanMetrics.newBuilder()
              .addMetrics(NameInt64Pair.newBuilder().setName("n".repeat(200)).setValue(7))
              .build();
      answer.figures(figures);
      expected.setScanMetrics(figures);
    }
    assertThat(bytes(answer)).isEqualTo(expected.build().toByteArray());
  }

  private static ScanAnswer answer() {
    return new ScanAnswer(7, 60_000, false, OptionalLong.empty());
  }

  private static ScanResponse.Builder expected() {
    return ScanResponse.newBuilder().setScannerId(7).setTtl(60_000).setStale(false);
  }

  private static byte[] bytes(ScanAnswer answer) {
    ByteBuf out = Unpooled.buffer();
    answer.write(out);
    assertThat(out.readableBytes()).isEqualTo(answer.size());
    byte[] bytes = new byte[out.readableBytes()];
    out.readBytes(bytes);
    return bytes;
  }
}
