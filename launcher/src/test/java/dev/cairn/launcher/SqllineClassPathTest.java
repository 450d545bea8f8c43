package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver of {@code bin/cairn sqlline} reads its settings on the class path. */
class SqllineClassPathTest {
  @TempDir private Path folder;

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

  private String home(String name) throws Exception {
    return folder.toRealPath().resolve("home").resolve(name).toString();
  }

  private String classPath(Map<String, String> environment, String command) throws Exception {
    List<String> lines =
        new ScriptWithJava(folder, "printf '%s\\n' \"$@\"\n").run("17", environment, command);
    return lines.get(lines.indexOf("-cp") + 1);
  }
}
