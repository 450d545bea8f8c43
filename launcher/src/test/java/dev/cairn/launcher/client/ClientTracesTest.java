package dev.cairn.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RpcRetryingCallerWithReadReplicas;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClientTracesTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private PrintStream before;

  @BeforeEach
  void replace() {
    before = System.err;
    System.setErr(ClientTraces.without(new PrintStream(printed, true, StandardCharsets.UTF_8)));
  }

  @AfterEach
  void restore() {
    System.setErr(before);
  }

  private String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void whatTheClientPrintsOfAFailedScanIsDropped() throws Exception {
    Method thrower =
        RpcRetryingCallerWithReadReplicas.class.getDeclaredMethod(
            "throwEnrichedException", ExecutionException.class, int.class);
    thrower.setAccessible(true);
    try {
      thrower.invoke(null, new ExecutionException(new DoNotRetryIOException("refused")), 1);
    } catch (InvocationTargetException e) {
      assertThat(e.getCause()).hasMessageContaining("refused");
    }
    assertThat(text()).isEmpty();
  }

  @Test
  void otherTracesAndLinesArePrinted() {
    new IOException("of another").printStackTrace();
    System.err.println("a line");
    System.err.printf("%d%n", 5);
    assertThat(text())
        .startsWith("java.io.IOException: of another")
        .contains("at " + ClientTracesTest.class.getName())
        .endsWith("a line\n5\n");
  }
}
