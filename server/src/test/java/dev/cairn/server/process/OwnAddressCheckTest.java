package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.ConfigException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** A server that cannot connect to its own name fails at once instead of waiting. */
class OwnAddressCheckTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final OwnAddressCheck check = new OwnAddressCheck(Runnable::run, PATIENCE);

  @Test
  void aServerThatListensUnderItsNameIsReached() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ServerName name = new ServerName("127.0.0.1", server.getLocalPort(), 1);
      assertThatCode(() -> check.check(name)).doesNotThrowAnyException();
    }
  }

  @Test
  void anUnknownNameIsReportedWithTheRemedy() {
    assertThatThrownBy(() -> check.check(new ServerName("outside.invalid", 16020, 1)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(
            "outside.invalid", "16020", "unknown", "/etc/hosts", "cairn.hostname");
  }

  @Test
  void aNameOfAnotherMachineIsReported() throws Exception {
    int port;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
    }
    assertThatThrownBy(() -> check.check(new ServerName("127.0.0.1", port, 1)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("127.0.0.1", Integer.toString(port), "cairn.hostname")
        .hasMessageNotContaining("/etc/hosts"); // for it is no name
  }

  @Test
  void aHangingNameServiceTimesOut() {
    Queue<Runnable> neverRun = new ArrayDeque<>();
    assertThatThrownBy(
            () ->
                new OwnAddressCheck(neverRun::add, Duration.ofMillis(10))
                    .check(new ServerName("slow.example.com", 16020, 1)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no connection within");
  }
}
