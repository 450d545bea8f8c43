package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of the tests load recorded classes, also with settings on the class path. */
class ClassArchiveTest {
  @TempDir private Path folder;

  @Test
  void cairnLoadsRecordedClasses() throws Exception {
    assertShared(ClassArchive.CAIRN, "dev.cairn.launcher.Cairn", "--version");
  }

  @Test
  void hbaseLoadsRecordedClasses() throws Exception {
    assertShared(ClassArchive.HBASE, "org.apache.hadoop.hbase.util.VersionInfo");
  }

  @Test
  void hdfsLoadsRecordedClasses() throws Exception {
    assertShared(ClassArchive.HDFS, "org.apache.hadoop.util.VersionInfo");
  }

  private void assertShared(ClassArchive archive, String mainClass, String... arguments)
      throws Exception {
    assumeTrue(ClassArchive.isPossible(), "Cairn's modules are jars, as in mvn verify");
    List<String> options = archive.options();
    assertThat(archive.hasFailed()).as("the recording has failed; see above").isFalse();
    assumeTrue(!options.isEmpty(), "no other JVM records now");
    Path output = folder.resolve("output");
    Files.writeString(folder.resolve("hbase-site.xml"), "<configuration/>");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of("-Xlog:class+load", "-cp", ServerClassPath.get() + File.pathSeparator + folder));
    command.add(mainClass);
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(output).lines())
          .anyMatch(
              line ->
                  line.contains(mainClass + " source: ") && line.contains("shared objects file"));
    } finally {
      process.destroyForcibly();
    }
  }
}
