package dev.cairn.interop.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The call that loads a file, from a client that did not prepare the load. */
class BulkLoadCallTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] ROW = Bytes.toBytes("r");

  @TempDir private Path folder;
  @TempDir private Path files;

  @Test
  void leavesNoStagingDirectoryAndTakesNoPathForAFamily() throws IOException {
    Path file = files.resolve("1");
    write(file);
    try (CairnServer server = CairnServer.builder().folder(folder).start();
        Connection client = server.connect();
        Admin admin = client.getAdmin();
        Table table = client.getTable(TABLE);
        WireConnection wire =
            new WireConnection(
                server.endpoints().regionServer().host(),
                server.endpoints().regionServer().port(),
                "ClientService")) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());

      WireConnection.Answer refused = load(wire, admin, "../../../outside", file);

      assertThat(refused.error().orElseThrow().getExceptionClassName())
          .endsWith(".NoSuchColumnFamilyException");
      assertThat(file).exists();
      assertThat(staged()).isZero();

      WireConnection.Answer loaded = load(wire, admin, "f", file);

      assertThat(loaded.error()).isEmpty();
      assertThat(table.exists(new Get(ROW))).isTrue();
      assertThat(file).doesNotExist();
      assertThat(staged()).isZero();
    }
  }

  private static WireConnection.Answer load(
      WireConnection wire, Admin admin, String family, Path file) throws IOException {
    BulkLoadHFileRequest request =
        BulkLoadHFileRequest.newBuilder()
            .setRegion(
                RegionSpecifier.newBuilder()
                    .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
                    .setValue(ByteString.copyFrom(admin.getRegions(TABLE).get(0).getRegionName())))
            .addFamilyPath(
                BulkLoadHFileRequest.FamilyPath.newBuilder()
                    .setFamily(ByteString.copyFromUtf8(family))
                    .setPath(file.toString()))
            .setAssignSeqNum(true)
            .build();
    return wire.call("BulkLoadHFile", request.toByteArray(), new byte[0]);
  }

  private long staged() throws IOException {
    Path staging = folder.resolve("staging");
    if (!Files.exists(staging)) {
      return 0;
    }
    try (Stream<Path> children = Files.list(staging)) {
      return children.count();
    }
  }

  private static void write(Path file) throws IOException {
    Configuration settings = new Configuration();
    try (HFile.Writer writer =
        HFile.getWriterFactory(settings, new CacheConfig(settings))
            .withPath(FileSystem.getLocal(settings), new org.apache.hadoop.fs.Path(file.toUri()))
            .withFileContext(new HFileContextBuilder().withColumnFamily(Bytes.toBytes("f")).build())
            .create()) {
      writer.append(
          new KeyValue(ROW, Bytes.toBytes("f"), Bytes.toBytes("q"), 7, Bytes.toBytes("v")));
    }
  }
}
