package dev.cairn.server.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.shaded.protobuf.generated.TracingProtos.RPCTInfo;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceParentTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";

  @Test
  void readsTheCallersSpanAndWhetherItIsRecorded() {
    assertThat(TraceParent.parse(header("00-" + TRACE + "-" + SPAN + "-01")))
        .contains(new TraceParent(TRACE, SPAN, true));
    assertThat(TraceParent.parse(header("00-" + TRACE + "-" + SPAN + "-00")))
        .contains(new TraceParent(TRACE, SPAN, false));
  }

  @Test
  void readsLaterVersionsAsFarAsTheyAreKnown() {
    assertThat(TraceParent.parse(header("01-" + TRACE + "-" + SPAN + "-03-more")))
        .contains(new TraceParent(TRACE, SPAN, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "ff-" + TRACE + "-" + SPAN + "-01",
        "00-00000000000000000000000000000000-" + SPAN + "-01",
        "00-" + TRACE + "-0000000000000000-01",
        "00-" + TRACE + "-" + SPAN,
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + SPAN + "-01"
      })
  void anInvalidHeaderIsNone(String text) {
    assertThat(TraceParent.parse(header(text))).isEmpty();
  }

  @Test
  void damagedBytesAreNone() {
    assertThat(TraceParent.parse(ByteString.copyFrom(new byte[] {26, 127, 1}))).isEmpty();
    assertThat(TraceParent.parse(ByteString.EMPTY)).isEmpty();
  }

  private static ByteString header(String text) {
    return RPCTInfo.newBuilder().putHeaders("traceparent", text).build().toByteString();
  }
}
