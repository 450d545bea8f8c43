package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.rpc.wire.CallHeader;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TracingProtos.RPCTInfo;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;
import org.junit.jupiter.api.Test;

/** Headers are read as protobuf's own parser reads them, whatever the bytes are. */
class CallHeaderTest {
  private final Random random = new Random(7);

  @Test
  void readsAllFields() throws InvalidProtocolBufferException {
    RequestHeader header =
        RequestHeader.newBuilder()
            .setCallId(-1)
            .setMethodName("Méthode")
            .setRequestParam(true)
            .setCellBlockMeta(CellBlockMeta.newBuilder().setLength(-2))
            .setPriority(200)
            .setTimeout(60_000)
            .build();
    assertThat(CallHeader.parse(header.toByteArray()))
        .isEqualTo(new CallHeader(-1, "Méthode", true, -2, 200, 60_000, ByteString.EMPTY));
  }

  @Test
  void whatIsMissingIsNothing() throws InvalidProtocolBufferException {
    assertThat(CallHeader.parse(new byte[0]))
        .isEqualTo(new CallHeader(0, "", false, 0, 0, 0, ByteString.EMPTY));
  }

  @Test
  void keepsTheBytesOfATrace() throws InvalidProtocolBufferException {
    RPCTInfo trace = RPCTInfo.newBuilder().putHeaders("traceparent", "00-ab-cd-01").build();
    RequestHeader header = RequestHeader.newBuilder().setCallId(1).setTraceInfo(trace).build();
    assertThat(CallHeader.parse(header.toByteArray()).traceInfo()).isEqualTo(trace.toByteString());
  }

  @Test
  void agreesWithProtobufOnHeadersOfAllShapes() {
    for (int i = 0; i < 5_000; i++) {
      assertAgrees(header().toByteArray());
    }
  }

  @Test
  void agreesWithProtobufOnDamagedHeaders() {
    for (int i = 0; i < 50_000; i++) {
      byte[] bytes = header().toByteArray();
      for (int changes = random.nextInt(4); changes >= 0 && bytes.length > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      assertAgrees(Arrays.copyOf(bytes, random.nextInt(bytes.length + 3)));
    }
  }

  private RequestHeader header() {
    RequestHeader.Builder header = RequestHeader.newBuilder();
    if (random.nextBoolean()) {
      header.setCallId(random.nextInt());
    }
    if (random.nextBoolean()) {
      header.setTraceInfo(RPCTInfo.newBuilder().putHeaders("key", "value"));
    }
    if (random.nextBoolean()) {
      header.setMethodName("Method" + random.nextInt(100));
    }
    if (random.nextBoolean()) {
      header.setRequestParam(random.nextBoolean());
    }
    if (random.nextBoolean()) {
      CellBlockMeta.Builder cells = CellBlockMeta.newBuilder();
      if (random.nextBoolean()) {
        cells.setLength(random.nextInt());
      }
      header.setCellBlockMeta(cells.setUnknownFields(unknown()));
    }
    if (random.nextBoolean()) {
      header.setPriority(random.nextInt(1000)).setTimeout(random.nextInt());
    }
    if (random.nextBoolean()) {
      header.addAttribute(
          NameBytesPair.newBuilder().setName("name").setValue(ByteString.copyFromUtf8("value")));
    }
    return header.setUnknownFields(unknown()).build();
  }

  private UnknownFieldSet unknown() {
    UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
    switch (random.nextInt(4)) {
      case 0 -> field.addVarint(random.nextLong());
      case 1 -> field.addFixed32(random.nextInt());
      case 2 -> field.addGroup(UnknownFieldSet.getDefaultInstance());
      default -> {
        return UnknownFieldSet.getDefaultInstance();
      }
    }
    return UnknownFieldSet.newBuilder().addField(9 + random.nextInt(30), field.build()).build();
  }

  private static void assertAgrees(byte[] bytes) {
    Optional<CallHeader> expected;
    try {
      RequestHeader header = RequestHeader.parseFrom(bytes);
      expected =
          Optional.of(
              new CallHeader(
                  header.getCallId(),
                  header.getMethodName(),
                  header.getRequestParam(),
                  header.getCellBlockMeta().getLength(),
                  header.getPriority(),
                  header.getTimeout(),
                  ByteString.EMPTY));
    } catch (InvalidProtocolBufferException e) {
      expected = Optional.empty();
    }
    Optional<CallHeader> read;
    try {
      read = Optional.of(withoutTrace(CallHeader.parse(bytes)));
    } catch (InvalidProtocolBufferException e) {
      read = Optional.empty();
    }
    // Traces and attributes are passed over: damage within them is not noticed.
    if (read.isEmpty() || expected.isPresent()) {
      assertThat(read).as(Arrays.toString(bytes)).isEqualTo(expected);
    }
  }

  private static CallHeader withoutTrace(CallHeader header) {
    return new CallHeader(
        header.callId(),
        header.methodName(),
        header.requestParam(),
        header.cellLength(),
        header.priority(),
        header.timeoutMillis(),
        ByteString.EMPTY);
  }
}
