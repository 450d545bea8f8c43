package dev.cairn.launcher.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** ShellCheck finds nothing in the scripts. */
@Tag("long")
class ShellCheckTest {
  private static Process run(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  @Test
  void theScriptsHaveNoWarnings() throws Exception {
    assumeTrue(isInstalled(), "Skipped: there is no shellcheck here");
    Process check = run(List.of("shellcheck", "--severity=warning", "../bin/cairn", "../.ci/run"));
    String findings =
        new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(check.waitFor()).as(findings).isZero();
  }

  private static boolean isInstalled() throws InterruptedException {
    try {
      Process version = run(List.of("shellcheck", "--version"));
      version.getInputStream().readAllBytes();
      return version.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
