package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the class paths of commands that need more than Cairn's own. */
class CommandClassPathTest {
  @TempDir private Path folder;

  /** Phoenix's driver reads its settings there. */
  @Test
  void thePromptHasTheConfigurationFolderAfterTheJars() throws Exception {
    Map<String, String> environment =
        Map.of("HBASE_CLASSPATH", "/phoenix/*", "HBASE_CONF_DIR", "/c");

    assertThat(classPath(environment, "sqlline")).endsWith("/cairn-launcher-0.jar:/phoenix/*:/c");
    assertThat(classPath(environment, "status")).endsWith("/cairn-launcher-0.jar:/phoenix/*");
  }

  @Test
  void theFolderIsConfByDefault() throws Exception {
    assertThat(classPath(Map.of("HBASE_CLASSPATH", ""), "sqlline"))
        .endsWith("/cairn-launcher-0.jar:" + home("conf"));
  }

  @Test
  void commandsThatJudgeCoprocessorsHaveHBasesServer() throws Exception {
    for (String command : List.of("standalone", "config", "doctor", "import-check")) {
      assertThat(classPath(Map.of("HBASE_CLASSPATH", "/own.jar"), command))
          .as(command)
          .endsWith(
              ":"
                  + home("lib/coprocessor/cairn-coprocessor-0.jar")
                  + ":"
                  + home("lib/hbase-server-0.jar")
                  + ":/own.jar");
    }
  }

  private String home(String name) throws Exception {
    return folder.toRealPath().resolve("home").resolve(name).toString();
  }

  private String classPath(Map<String, String> environment, String command) throws Exception {
    List<String> lines =
        new ScriptWithJava(folder, "printf '%s\\n' \"$@\"\n").run("17", environment, command);
    return lines.get(lines.indexOf("-cp") + 1);
  }
}
