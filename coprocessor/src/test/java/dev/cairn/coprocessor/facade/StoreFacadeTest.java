package dev.cairn.coprocessor.facade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.StoreFileHook.Candidate;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.MetaCellComparator;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Checks what stores tell without an open region. */
class StoreFacadeTest {
  private static StoreFacade store(String table, int replica) throws IOException {
    TableSchema schema = TableSchema.of(TableName.parse(table), FamilySchema.of("f"));
    RegionInfo info = new RegionInfo(schema.name(), new byte[0], new byte[0], 1);
    return Facades.region(info.replica(replica), schema).store(Bytes.toBytes("f"));
  }

  private static String path(StoreFacade store) {
    return store.file(new Candidate("a", 1, 1, false)).getPath().toString();
  }

  @Test
  void theOrderOfCellsIsTheTables() throws IOException {
    for (StoreFacade store : new StoreFacade[] {store("hbase:meta", 0), store("t", 0)}) {
      CellComparator expected =
          store.getTableName().getNameAsString().equals("t")
              ? CellComparator.getInstance()
              : MetaCellComparator.META_COMPARATOR;
      assertThat(store.getComparator()).isSameAs(expected);
      assertThat(store.getScanInfo().getComparator()).isSameAs(expected);
      assertThat(store.file(new Candidate("a", 1, 1, false)).getComparator()).isSameAs(expected);
      assertThat(store.getHRegion().getCellComparator()).isSameAs(expected);
    }
  }

  /** Settings of one table would be copied for each call: Hadoop copies them, and reads files. */
  @Test
  void theFileSystemHasTheSettingsOfTheServer() throws IOException {
    Configuration ofServer = new Configuration();
    ofServer.set("fs.defaultFS", "file:///");
    ofServer.set("fs.file.impl.disable.cache", "true");
    ofServer.set("of", "the server");
    TableSchema schema = TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));
    RegionInfo info = new RegionInfo(schema.name(), new byte[0], new byte[0], 1);
    StoreFacade store = Facades.region(info, schema, () -> ofServer).store(Bytes.toBytes("f"));
    try (FileSystem files = store.getFileSystem()) {
      assertThat(files.getConf().get("of")).isEqualTo("the server");
    }
  }

  @Test
  void theFilesOfAReplicaAreThoseOfItsRegion() throws IOException {
    assertThat(path(store("t", 1))).isEqualTo(path(store("t", 0)));
  }
}
