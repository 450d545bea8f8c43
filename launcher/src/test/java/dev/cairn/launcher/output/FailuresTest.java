package dev.cairn.launcher.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.junit.jupiter.api.Test;

/** Tests the one-line descriptions of failures. */
class FailuresTest {
  @Test
  void leavesOutTheStackThatServersPutIntoTheirMessages() {
    IOException failure =
        new IOException(
            "org.example.NoSuchThing: no thing g, look at h\n"
                + "\tat org.example.Things$Guard.lambda$find$0(Things.java:38)\n"
                + "\tat java.base/java.lang.Thread.run(Thread.java:840)\n"
                + "Caused by: org.example.Deeper: no thing g\n");
    assertThat(Failures.reason(failure))
        .isEqualTo("org.example.NoSuchThing: no thing g, look at h");
  }

  @Test
  void leavesOutTheJavaClassesThatServersPutBeforeTheirMessages() {
    assertThat(
            Failures.reason(
                new IOException(
                    "org.apache.hadoop.hbase.DoNotRetryIOException: java.io.IOException: no room")))
        .isEqualTo("no room");
    assertThat(Failures.reason(new IOException("java.io.EOFException")))
        .isEqualTo("java.io.EOFException");
    assertThat(Failures.reason(new IOException("file /a.b.Exception: is odd")))
        .isEqualTo("file /a.b.Exception: is odd");
  }

  @Test
  void putsSeveralLinesIntoOne() {
    assertThat(Failures.reason(new IOException("a quote is open\n  at position 3 of: x")))
        .isEqualTo("a quote is open at position 3 of: x");
  }

  @Test
  void leavesOutTheJavaClassesInsideOfMessages() {
    assertThat(
            Failures.reason(
                new IOException("Failed 1 action: org.example.NoRoomException: no room for f")))
        .isEqualTo("Failed 1 action: no room for f");
  }

  @Test
  void namesTheAddressThatHadoopCannotReach() {
    assertThat(
            Failures.reason(
                new IOException(
                    "Call From here/10.0.0.1 to there:8020 failed on connection exception:"
                        + " java.net.ConnectException: Connection refused; For more details see: "
                        + " http://example.org/ConnectionRefused")))
        .isEqualTo("cannot reach there:8020: Connection refused");
  }

  @Test
  void saysThatATableDoesNotExist() {
    assertThat(Failures.reason(new TableNotFoundException("ns:t")))
        .isEqualTo("table ns:t does not exist");
  }
}
