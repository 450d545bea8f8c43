package dev.cairn.interop.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageContract;
import dev.cairn.engine.time.Clock;
import dev.cairn.interop.tools.CairnTool;
import dev.cairn.server.hadoop.HadoopStorage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on HDFS. */
class HdfsStorageTest extends StorageContract {
  private static final AtomicInteger DIRECTORIES = new AtomicInteger();
  @TempDir private static Path folder;
  private static Hdfs hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs = Hdfs.start(folder);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @Override
  protected Storage open() throws IOException {
    return HadoopStorage.open(
        URI.create(hdfs.uri() + "/data/" + DIRECTORIES.incrementAndGet()), hdfs.settings());
  }

  @Test
  void theToolsReadFilesThere() throws IOException {
    String folder = hdfs.uri() + "/tools/data/default/t/0123456789abcdef0123456789abcdef/f";
    HFileOptions options = HFileOptions.of(FamilySchema.of("f"), CellComparator.USER);
    try (Storage storage = HadoopStorage.open(URI.create(folder), hdfs.settings());
        HFileWriter writer = new HFileWriter(storage, "file", options, Clock.SYSTEM)) {
      writer.append(
          Cell.put(bytes("row"), bytes("f"), bytes("q"), 1_700_000_000_000L, bytes("value")));
      writer.finish();
    }

    CairnTool printed = CairnTool.run("hfile", "-p", "-v", "-f", folder + "/file");
    CairnTool checked = CairnTool.run("verify", hdfs.uri() + "/tools");

    assertThat(printed.out().lines())
        .containsExactly(
            "Scanning -> " + folder + "/file",
            "K: row/f:q/1700000000000/Put/vlen=5/seqid=0 V: value",
            "Scanned kv count -> 1");
    assertThat(checked.status()).isZero();
    assertThat(checked.out()).contains("Checked 1 store file,").contains("No damage");
    assertThat(CairnTool.run("hfile", "-m", "-f", folder + "/none"))
        .satisfies(run -> assertThat(run.status()).isEqualTo(1))
        .satisfies(run -> assertThat(run.err()).contains(folder + "/none does not exist"));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** On HDFS that holds for a renaming only: a deleted file's blocks go within seconds. */
  @Override
  @Test
  protected void anOpenFileOutlivesItsName() throws IOException {
    try (Storage storage = open()) {
      storage.writeAll("a", "1234".getBytes(UTF_8));
      try (ReadableFile moved = storage.open("a")) {
        storage.rename("a", "b");
        byte[] target = new byte[4];
        moved.readFully(0, target, 0, 4);
        assertThat(target).isEqualTo("1234".getBytes(UTF_8));
      }
    }
  }
}
