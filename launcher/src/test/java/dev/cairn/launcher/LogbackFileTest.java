package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.site.LogFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests the output of a process that logs with {@code conf/logback.xml}: its log, or nothing. */
class LogbackFileTest {
  @TempDir private Path folder;

  @Test
  void aServerInTheForegroundPrintsItsLogAndNothingElse() throws Exception {
    assertThat(output(Map.of()).lines()).singleElement().asString().endsWith(OneLine.TEXT);
  }

  @Test
  void aServerInTheBackgroundPrintsNothing() throws Exception {
    Path log = folder.resolve("cairn.log");
    Map<String, String> variables =
        Map.of(
            "CAIRN_LOG_TO",
            "file",
            LogFiles.LOG_VARIABLE,
            log.toString(),
            "CAIRN_LOG_ROLLED",
            log + ".%i");
    assertThat(output(variables)).isEmpty();
    assertThat(Files.readAllLines(log)).singleElement().asString().endsWith(OneLine.TEXT);
  }

  private static String output(Map<String, String> variables) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Dlogback.configurationFile=" + Path.of("..", "conf", "logback.xml"),
            "-cp",
            System.getProperty("java.class.path"),
            OneLine.class.getName());
    builder.environment().putAll(variables);
    Process process = builder.redirectErrorStream(true).start();
    byte[] output = process.getInputStream().readAllBytes();
    assertThat(process.waitFor()).isZero();
    return new String(output, StandardCharsets.UTF_8);
  }

  /** A program that logs one line. */
  static final class OneLine {
    static final String TEXT = "a line of the log";

    private OneLine() {}

    public static void main(String[] args) {
      LoggerFactory.getLogger(OneLine.class).info(TEXT);
    }
  }
}
