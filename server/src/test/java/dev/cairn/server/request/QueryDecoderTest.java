package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.filter.TestFilters;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.junit.jupiter.api.Test;

/** Checks the decoding of the rare parts of gets and scans. */
class QueryDecoderTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"), FamilySchema.of("g"));

  private static final RegionInfo REGION = new RegionInfo(SCHEMA.name(), b("d"), b("m"), 7);
  private static final byte[] F = b("f");
  private static final byte[] YES = {1};

  private final QueryDecoder decoder =
      new QueryDecoder(TestFilters.parser(getClass().getClassLoader()));

  @Test
  void leavesAPlainRequestAsItIs() throws IOException {
    GetMessage get = message(new Get(b("e")).addColumn(F, b("q")));
    assertThat(decoder.get(get, SCHEMA)).isSameAs(get.row());
    ScanMessage.Opening scan = message(new Scan().withStartRow(b("e")).setLimit(20));
    assertThat(decoder.scan(scan, REGION, SCHEMA).request()).isSameAs(scan.request());
  }

  @Test
  void startsWithinTheRegion() throws IOException {
    assertThat(decoded(new Scan().withStartRow(b("a"), false)).startRow()).isEmpty();
    assertThat(decoded(new Scan().withStartRow(b("a"), false)).includeStart()).isTrue();
    assertThat(decoded(new Scan().withStartRow(b("e"), false)).startRow()).isEqualTo(b("e"));
    assertThat(decoded(new Scan().withStartRow(b("m")).setReversed(true)).startRow()).isEmpty();
    assertThat(decoded(new Scan().withStartRow(b("e")).setReversed(true)).startRow())
        .isEqualTo(b("e"));
  }

  @Test
  void rawAndUncommittedReads() throws IOException {
    assertThat(decoded(new Scan().setRaw(true)).raw()).isTrue();
    assertThat(decoded(new Scan().setRaw(false)).raw()).isFalse();
    assertThat(
            decoded(new Scan().setIsolationLevel(IsolationLevel.READ_UNCOMMITTED))
                .readUncommitted())
        .isTrue();
    assertThat(
            decoded(new Scan().setIsolationLevel(IsolationLevel.READ_COMMITTED)).readUncommitted())
        .isFalse();
  }

  @Test
  void whatToDoWithValuesInMobFiles() throws IOException {
    assertThat(mob("hbase.mob.scan.raw")).isEqualTo(new MobOptions(true, false, false, false));
    assertThat(mob("hbase.mob.scan.ref.only")).isEqualTo(new MobOptions(false, true, false, false));
    assertThat(mob("hbase.mob.cache.blocks")).isEqualTo(new MobOptions(false, false, true, false));
    assertThat(mob("empty.value.on.mobcell.miss"))
        .isEqualTo(new MobOptions(false, false, false, true));
    assertThat(mob("another")).isEqualTo(new MobOptions(false, false, false, false));
  }

  private MobOptions mob(String attribute) throws IOException {
    return decoder.get(message(new Get(b("r")).setAttribute(attribute, YES)), SCHEMA).mob();
  }

  @Test
  void whetherARowExistsTheKeysTell() throws IOException {
    Get get = new Get(b("r")).setCheckExistenceOnly(true);
    get.setAttribute("hbase.mob.scan.raw", YES);
    assertThat(decoder.get(message(get), SCHEMA).mob()).isEqualTo(MobOptions.KEYS);
  }

  @Test
  void aFamilysOwnTimeRangeLimitsThatFamily() throws IOException {
    ScanRequest all = decoded(new Scan().setColumnFamilyTimeRange(F, 3, 5));
    assertThat(all.families().get(F).timeRange()).contains(new TimeRange(3, 5));
    assertThat(all.families().get(b("g")).timeRange()).isEmpty();
    ScanRequest other = decoded(new Scan().addFamily(b("g")).setColumnFamilyTimeRange(F, 3, 5));
    assertThat(other.families()).hasSize(1);
    assertThat(other.families().get(b("g")).timeRange()).isEmpty();
  }

  @Test
  void refusesWhatIsMalformed() throws IOException {
    GetRequest.Builder closest =
        RequestConverter.buildGetRequest(
            REGION.regionName(), new Get(b("r")).addFamily(F).addFamily(b("g")))
            .toBuilder();
    closest.getGetBuilder().setClosestRowBefore(true);
    GetMessage rows = GetMessage.parse(closest.build().toByteArray());
    assertThatThrownBy(() -> decoder.get(rows, SCHEMA))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("needs one family");
  }

  private ScanRequest decoded(Scan scan) throws IOException {
    return decoder.scan(message(scan), REGION, SCHEMA).request();
  }

  private static GetMessage message(Get get) throws IOException {
    return GetMessage.parse(
        RequestConverter.buildGetRequest(REGION.regionName(), get).toByteArray());
  }

  private static ScanMessage.Opening message(Scan scan) throws IOException {
    return (ScanMessage.Opening)
        ScanMessage.parse(
                RequestConverter.buildScanRequest(REGION.regionName(), scan, 100, true)
                    .toByteArray())
            .subject();
  }

  private static byte[] b(String text) {
    return Bytes.utf8(text);
  }
}
