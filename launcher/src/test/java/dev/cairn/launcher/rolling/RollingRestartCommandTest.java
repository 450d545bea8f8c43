package dev.cairn.launcher.rolling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.CommandHome;
import dev.cairn.launcher.LocalServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cairn rolling-restart} without its work, which tests with a cluster check. */
class RollingRestartCommandTest {
  @TempDir private Path home;

  @Test
  void aDryRunTellsTheStepsAndAFailedCommandEndsARun() throws Exception {
    try (LocalServer server = new LocalServer(home.resolve("data"))) {
      CommandHome commands = new CommandHome(home);
      commands.site(server.addresses().zooKeeper());
      String state = home.resolve("state").toString();
      assertThat(commands.run("rolling-restart", "--dry-run", "--state", state))
          .containsPattern("^master \\S+: restart\n")
          .containsPattern("region server \\S+: move \\d+ regions away, restart, move them back\n");
      assertThat(home.resolve("state")).doesNotExist();
      assertThat(commands.run("rolling-restart", "--dry-run", "--only", "nosuch", "--state", state))
          .isEmpty();
      assertThat(commands.run("rolling-restart", "--state", state))
          .contains("--restart-command is missing");
      assertThat(commands.run("rolling-restart", "--restart-command", "false", "--state", state))
          .containsPattern("\\[1/2\\] restarting the master \\S+\n")
          .contains("the command failed with exit status 1: false");
      assertThat(home.resolve("state")).exists();
    }
  }
}
