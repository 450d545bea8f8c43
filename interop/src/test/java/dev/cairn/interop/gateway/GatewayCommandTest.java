package dev.cairn.interop.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code bin/cairn rest|thrift|thrift2 start}, {@code status} and {@code stop}. */
@Timeout(120)
class GatewayCommandTest {
  private static final Path CHECKOUT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern ADDRESS =
      Pattern.compile("address +(?:http://)?127\\.0\\.0\\.1:(\\d+)");

  @TempDir Path folder;

  @BeforeEach
  void isPackaged() {
    assumeTrue(
        Files.exists(CHECKOUT.resolve("lib/cairn.classpath")), "lib/ comes with `mvn package`");
  }

  @Test
  void restStartsInTheBackgroundAndStops() throws Exception {
    startsInTheBackgroundAndStops("rest", "REST");
  }

  @ParameterizedTest
  @Tag("long")
  @CsvSource({"thrift, Thrift", "thrift2, Thrift 2"})
  void othersStartInTheBackgroundAndStop(String command, String title) throws Exception {
    startsInTheBackgroundAndStops(command, title);
  }

  private void startsInTheBackgroundAndStops(String command, String title) throws Exception {
    try (CairnServer server = CairnServer.start()) {
      RunningGateway.writeSite(folder, server.configuration());
      String started = cairn(0, command, "start");
      assertThat(started).contains(title + " gateway serves.");
      Matcher address = ADDRESS.matcher(started);
      assertThat(address.find()).as(started).isTrue();
      int port = Integer.parseInt(address.group(1));
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(socket.isConnected()).isTrue();
      }
      assertThat(cairn(0, command, "status")).contains("127.0.0.1:" + port);
      assertThat(cairn(0, command, "stop")).contains("stopped");
      assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
          .isInstanceOf(ConnectException.class);
    }
  }

  private String cairn(int status, String... words) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(CHECKOUT.resolve("bin/cairn").toString(), "--config", folder.toString()));
    command.addAll(List.of(words));
    Path out = Files.createTempFile(folder, "out", "");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().put("CAIRN_BUILT", "true");
    builder.environment().put("CAIRN_RECORD", "false");
    builder.environment().put("HBASE_OPTS", "-XX:TieredStopAtLevel=1"); // short-lived processes
    builder.environment().put("HBASE_LOG_DIR", folder.resolve("logs").toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(() -> String.join(" ", words)).isTrue();
    String output = Files.readString(out);
    assertThat(process.exitValue()).as(output).isEqualTo(status);
    return output;
  }
}
