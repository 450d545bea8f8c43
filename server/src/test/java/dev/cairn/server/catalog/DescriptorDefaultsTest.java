package dev.cairn.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilySchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.junit.jupiter.api.Test;

/** Expects what Apache HBase 2.6.4 returned for the same descriptors. */
class DescriptorDefaultsTest {
  private static final TableName NAME = TableName.parse("t");

  private static final String DEFAULTS =
      "INDEX_BLOCK_ENCODING=NONE VERSIONS=1 KEEP_DELETED_CELLS=FALSE DATA_BLOCK_ENCODING=NONE"
          + " TTL=2147483647 MIN_VERSIONS=0 REPLICATION_SCOPE=0 BLOOMFILTER=ROW IN_MEMORY=false"
          + " COMPRESSION=NONE BLOCKCACHE=true BLOCKSIZE=65536";

  @Test
  void aFamilyGetsTheDefaultsInTheOrderOfHBase() {
    TableSchema completed = complete(TableSchema.of(NAME, FamilySchema.of("f")));
    assertThat(table(completed)).isEqualTo("IS_META=false");
    assertThat(family(completed, 0)).isEqualTo(DEFAULTS);
  }

  @Test
  void ownAttributesStayAndFamiliesAreSorted() {
    TableSchema completed =
        complete(
            TableSchema.of(
                NAME,
                FamilySchema.of("z", Map.of("VERSIONS", "3", "own", "x")),
                FamilySchema.of("b", Map.of("own2", "y", "TTL", "100"))));
    assertThat(completed.message().getColumnFamiliesList())
        .extracting(family -> family.getName().toStringUtf8())
        .containsExactly("b", "z");
    assertThat(family(completed, 0))
        .isEqualTo(
            DEFAULTS
                .replace("TTL=2147483647", "TTL=100")
                .replace("REPLICATION_SCOPE=0", "REPLICATION_SCOPE=0 own2=y"));
    assertThat(family(completed, 1))
        .isEqualTo(DEFAULTS.replace("VERSIONS=1 KEEP", "VERSIONS=3 own=x KEEP"));
  }

  @Test
  void theLastOfSeveralValuesCountsAndAnEmptyOneCountsAsNone() {
    HBaseProtos.TableSchema.Builder sent =
        TableSchema.of(NAME, FamilySchema.of("f", Map.of("COMPRESSION", "")))
            .with("k", "1")
            .with("gone", "")
            .message()
            .toBuilder()
            .addConfiguration(setting("k", "3"))
            .addConfiguration(setting("IS_META", "true"));
    sent.getColumnFamiliesBuilder(0)
        .addConfiguration(setting("e", "1"))
        .addConfiguration(setting("zc", "1"))
        .addConfiguration(setting("ac", "2"))
        .addConfiguration(setting("e", ""));
    TableSchema completed = complete(new TableSchema(sent.build()));
    assertThat(table(completed)).isEqualTo("IS_META=false k=3");
    assertThat(family(completed, 0)).isEqualTo(DEFAULTS + " zc=1 ac=2");
  }

  @Test
  void whatIsCompleteStaysTheSameInstance() {
    TableSchema completed = complete(TableSchema.of(NAME, FamilySchema.of("f")).with("k", "v"));
    assertThat(DescriptorDefaults.complete(completed)).isSameAs(completed);
    TableSchema meta = complete(MetaFormat.schema());
    assertThat(meta.attribute("IS_META")).contains("true");
  }

  @Test
  void aStoredDescriptorIsCompletedWhenItIsReadAndItsFileStays() throws IOException {
    Storage storage = new MemoryStorage(Clock.SYSTEM);
    TableSchema incomplete = TableSchema.of(NAME, FamilySchema.of("f"));
    TableDescriptors descriptors = new TableDescriptors(storage);
    descriptors.write(TableFiles.directory(NAME), incomplete, 1);
    Storage.FileInfo file = descriptors.newest(NAME).orElseThrow();
    byte[] before = storage.readAll(file.path());

    TableSchema read = descriptors.require(NAME);
    assertThat(family(read, 0)).isEqualTo(DEFAULTS);
    descriptors.replace(read);
    assertThat(storage.list(TableFiles.directory(NAME) + "/.tabledesc"))
        .extracting(Storage.FileInfo::path)
        .containsExactly(file.path());
    assertThat(storage.readAll(file.path())).isEqualTo(before);
  }

  private static TableSchema complete(TableSchema sent) {
    return DescriptorDefaults.complete(sent);
  }

  private static NameStringPair setting(String name, String value) {
    return NameStringPair.newBuilder().setName(name).setValue(value).build();
  }

  private static String table(TableSchema schema) {
    assertThat(schema.message().getConfigurationList()).isEmpty();
    return String.join(" ", pairs(schema.message().getAttributesList()).toList());
  }

  private static String family(TableSchema schema, int index) {
    ColumnFamilySchema family = schema.message().getColumnFamilies(index);
    return String.join(
        " ",
        Stream.concat(
                pairs(family.getAttributesList()),
                family.getConfigurationList().stream()
                    .map(pair -> pair.getName() + "=" + pair.getValue()))
            .toList());
  }

  private static Stream<String> pairs(List<HBaseProtos.BytesBytesPair> attributes) {
    return attributes.stream()
        .map(pair -> pair.getFirst().toStringUtf8() + "=" + pair.getSecond().toStringUtf8());
  }
}
