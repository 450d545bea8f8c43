package dev.cairn.interop.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.process.ForgetfulDisk;
import dev.cairn.interop.tools.CairnTool;
import dev.cairn.launcher.regions.RegionSplitter;
import dev.cairn.shell.split.SplitAlgorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a command has reported as done, and what it will not do again after a stop, survives a power
 * cut. Only the files of the commands are on the disk whose power is cut.
 */
@Tag("long")
class TransferPowerCutTest {
  private static final String[] SPLITS = {"\\x20", "\\x80", "\\xC0"};
  private static final int DISK_MEGABYTES = 300;

  @TempDir Path folder;
  private ForgetfulDisk disk;
  private TransferServer server;

  @BeforeEach
  void start() throws IOException {
    disk = ForgetfulDisk.make(folder, DISK_MEGABYTES);
    server = TransferServer.start();
  }

  @AfterEach
  void stop() throws IOException {
    if (server != null) {
      server.close();
      disk.close();
    }
  }

  private CairnTool succeed(String command, Object... arguments) {
    CairnTool run = server.run(command, arguments);
    assertThat(run.status()).as(run.toString()).isZero();
    return run;
  }

  private CairnTool fail(String command, Object... arguments) {
    CairnTool run = server.run(command, arguments);
    assertThat(run.status()).as(run.toString()).isNotZero();
    return run;
  }

  private void cutPower() throws IOException {
    disk.cut();
    disk.restore();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--format=sequence",
        "--compress=record",
        "--compress=block",
        "--format=json",
        "--format=json --compress=gzip"
      })
  void whatIsExportedStays(String options) throws IOException {
    TableName source = server.create(SPLITS);
    server.fill(source, options.hashCode(), 300);
    Path target = disk.path().resolve("new/out");
    Object[] arguments =
        Stream.concat(Stream.of(source, target, "--raw"), Stream.of(options.split(" "))).toArray();
    succeed("export", arguments);
    cutPower();
    TableName copy = server.create();
    Object[] back =
        Stream.concat(
                Stream.of(copy, target, "--progress-dir", folder),
                Stream.of(options.split(" ")).filter(option -> option.startsWith("--format")))
            .toArray();
    assertThat(succeed("import", back).out()).contains(" of 4 files");
    assertThat(server.all(copy)).isEqualTo(server.all(source)).hasSizeGreaterThan(300);
  }

  @Test
  void exportedStoreFilesStay() throws IOException {
    TableName source = server.create(SPLITS);
    server.fill(source, 8, 300);
    Path target = disk.path().resolve("out");
    succeed("export", source, target, "--raw", "--format=hfile");
    cutPower();
    TableName copy = server.create();
    BulkLoadHFiles.create(server.configuration())
        .bulkLoad(copy, new org.apache.hadoop.fs.Path(target.toUri()));
    assertThat(server.all(copy)).isEqualTo(server.all(source)).hasSizeGreaterThan(300);
  }

  @Test
  void aStoppedExportHasAllRowsThatItWillNotWriteAgain() throws IOException {
    TableName source = server.create("m");
    server.put(source, "a", "f", Bytes.toBytes("one"));
    server.put(source, "x", "f", Bytes.toBytes("tab\there"));
    Path target = disk.path().resolve("out");
    Object[] command = {
      source, target, "--format=tsv", "--columns=HBASE_ROW_KEY,f:a", "--threads=1"
    };
    fail("export", command);
    cutPower();
    server.put(source, "x", "f", Bytes.toBytes("two"));
    assertThat(succeed("export", command).out())
        .contains("With the earlier run: 2 rows in 2 files");
    cutPower();
    assertThat(target.resolve("part-m-00000.tsv")).hasContent("a\tone");
    assertThat(target.resolve("part-m-00001.tsv")).hasContent("x\ttwo");
    assertThat(fail("export", command).err()).contains("holds a finished export");
  }

  @Test
  void aStoppedImportKnowsWhatItHasWritten() throws IOException {
    TableName target = server.create();
    Path source = Files.createDirectory(folder.resolve("in"));
    Files.writeString(source.resolve("1"), "a\t1\nb\t2\n");
    Files.writeString(source.resolve("2"), "c\t1\nd\n");
    Object[] command = {
      target,
      source,
      "--format=tsv",
      "--columns=HBASE_ROW_KEY,f:a",
      "--threads=1",
      "--progress-dir",
      disk.path().resolve("progress")
    };
    fail("import", command);
    cutPower();
    Files.writeString(source.resolve("2"), "c\t1\nd\t4\n");
    assertThat(succeed("import", command).out()).contains("An earlier run imported 1 file.");
    cutPower();
    assertThat(disk.path().resolve("progress")).isEmptyDirectory();
    assertThat(server.all(target)).hasSize(4);
  }

  @Test
  void aStoppedRollingSplitKnowsWhatIsLeft() throws IOException {
    TableName table = TableName.valueOf("rolling");
    List<String> printed = new ArrayList<>();
    try (Admin admin = server.connection().getAdmin()) {
      SplitAlgorithm algorithm = SplitAlgorithm.of("HexStringSplit", "", "");
      new RegionSplitter(admin, table, algorithm, line -> {}).create(List.of("f"), 2);
      RegionSplitter stopped =
          new RegionSplitter(
              admin,
              table,
              algorithm,
              line -> {
                if (line.startsWith("1 of 2")) {
                  throw new IllegalStateException("stopped");
                }
              });
      assertThatThrownBy(() -> stopped.split(2, false, disk.path())).hasMessage("stopped");
      cutPower();
      new RegionSplitter(admin, table, algorithm, printed::add).split(2, false, disk.path());
      assertThat(printed).anyMatch(line -> line.startsWith("Continuing"));
      assertThat(printed).contains("1 of 1 regions are split");
      assertThat(admin.getRegions(table)).hasSize(4);
    }
  }
}
