package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Puts with all their options, and cells of all shapes: empty, large, with tags, built by hand. */
class PutsTest extends WritesInEveryState {

  @Test
  void timestampsOfTheServerAndOfOnesOwn() throws IOException {
    byte[] row = rows.next();
    table()
        .put(
            new Put(row)
                .addColumn(F, A, toBytes("server"))
                .addColumn(F, X, 7, toBytes("own"))
                .addColumn(G, X, HConstants.LATEST_TIMESTAMP, toBytes("latest")));
    rows.expect(row, "f:a@now=server", A20, A10, N5, "f:x@7=own", "g:x@now=latest", X10);
    byte[] all = rows.next();
    table().put(new Put(all, 30).addColumn(F, A, toBytes("of the put")).addColumn(G, X, 9, X));
    rows.expect(all, "f:a@30=of the put", A20, A10, N5, X10, "g:x@9=x");
    assertThatThrownBy(() -> new Put(row, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Put(row).addColumn(F, A, -1, X))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void versionsBeyondWhatTheFamilyKeeps() throws IOException {
    byte[] row = rows.next();
    for (long timestamp : new long[] {5, 15, 25, 30}) {
      table().put(new Put(row).addColumn(F, A, timestamp, toBytes("v" + timestamp)));
    }
    rows.expect(row, "f:a@30=v30", "f:a@25=v25", A20, N5, X10);
  }

  @Test
  void theSameVersionAgain() throws IOException {
    byte[] row = rows.next();
    table().put(new Put(row).addColumn(F, A, 20, toBytes("again")));
    rows.expect(row, "f:a@20=again", A10, N5, X10);
    byte[] twice = rows.nextEmpty();
    table().put(new Put(twice).addColumn(F, A, 1, X).addColumn(F, A, 1, toBytes("last")));
    rows.expect(twice, "f:a@1=last");
  }

  @Test
  void emptyQualifiersAndValues() throws IOException {
    byte[] row = rows.nextEmpty();
    table()
        .put(
            new Put(row)
                .addColumn(F, null, 1, X)
                .addColumn(F, A, 1, new byte[0])
                .addColumn(G, new byte[0], 1, (byte[]) null));
    rows.expect(row, "f:@1=x", "f:a@1=", "g:@1=");
  }

  @Test
  void rowsOfEveryLength() throws IOException {
    byte[] longest = new byte[HConstants.MAX_ROW_LENGTH];
    Arrays.fill(longest, (byte) 'z');
    byte[] zero = {0};
    for (byte[] row : List.of(longest, zero)) {
      table().put(new Put(row).addColumn(F, A, 1, X));
      rows.expect(row, "f:a@1=x");
    }
    assertThatThrownBy(() -> new Put(new byte[HConstants.MAX_ROW_LENGTH + 1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Put(new byte[0])).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void longQualifiersAndLargeValues() throws IOException {
    byte[] row = rows.nextEmpty();
    byte[] qualifier = new byte[30_000];
    Arrays.fill(qualifier, (byte) 'q');
    byte[] value = new byte[1 << 20];
    Arrays.fill(value, (byte) 'v');
    table().put(new Put(row).addColumn(F, qualifier, 1, X).addColumn(G, A, 1, value));
    rows.expect(row, "f:" + Bytes.toString(qualifier) + "@1=x", "g:a@1=" + Bytes.toString(value));
  }

  @Test
  void whatIsTooLargeIsNotTaken() throws Exception {
    byte[] row = rows.next();
    assertThatThrownBy(() -> table().put(new Put(row).addColumn(F, A, new byte[11 << 20])))
        .as("the client's own limit")
        .isInstanceOf(IllegalArgumentException.class);
    Configuration unlimited = SERVER.configuration();
    unlimited.setInt("hbase.client.keyvalue.maxsize", 0);
    try (Connection other = ConnectionFactory.createConnection(unlimited);
        Table direct = other.getTable(rows.table().name())) {
      Put tooLarge = new Put(row).addColumn(G, A, X).addColumn(F, A, new byte[11 << 20]);
      assertThatThrownBy(() -> direct.put(tooLarge))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("exceeds limit of 10485760 bytes");
    }
    rows.expect(row, A20, A10, N5, X10);
  }

  @Test
  void aFamilyThatDoesNotExist() throws IOException {
    byte[] row = rows.next();
    Put put = new Put(row).addColumn(F, A, X).addColumn(toBytes("unknown"), A, X);
    assertThatThrownBy(() -> table().put(put)).isInstanceOf(NoSuchColumnFamilyException.class);
    assertThatThrownBy(() -> table().put(new Put(row)))
        .isInstanceOf(IllegalArgumentException.class);
    rows.expect(row, A20, A10, N5, X10);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void everyDurability(Durability durability) throws IOException {
    byte[] row = rows.next();
    table().put(new Put(row).addColumn(F, A, 30, X).setDurability(durability));
    rows.expect(row, "f:a@30=x", A20, A10, N5, X10);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void everyDurabilityOfATable(Durability durability) throws IOException {
    try (TestTable own =
        SERVER.create(
            TableDescriptorBuilder.newBuilder(SERVER.newName("durability"))
                .setDurability(durability)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            new byte[0][])) {
      own.put("r", "f:a", 1, "v");
      state.settle(own);
      assertThat(own.get(new Get(X))).isEmpty();
      assertThat(own.value("r", "f:a")).isEqualTo("v");
    }
  }

  @Test
  void attributesAreNobodysBusiness() throws IOException {
    byte[] row = rows.next();
    Put put = new Put(row).addColumn(F, A, 30, X).setAttribute("mine", toBytes("value"));
    put.setId("an id");
    put.setPriority(10);
    table().put(put);
    rows.expect(row, "f:a@30=x", A20, A10, N5, X10);
  }

  @Test
  void cellsOfABuilder() throws IOException {
    byte[] row = rows.next();
    table().put(new Put(row).add(cell(row, Cell.Type.Put)));
    rows.expect(row, "f:a@30=x", A20, A10, N5, X10);
    assertThatThrownBy(() -> new Put(row).add(cell(rows.next(), Cell.Type.Put)))
        .as("of another row")
        .isInstanceOf(IOException.class);
    assertThatThrownBy(
            () ->
                CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
                    .setRow(row)
                    .setFamily(F)
                    .build())
        .as("without a type")
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Cell cell(byte[] row, Cell.Type type) {
    return CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
        .setRow(row)
        .setFamily(F)
        .setQualifier(A)
        .setTimestamp(30)
        .setType(type)
        .setValue(X)
        .build();
  }

  /** Tags travel both ways with the codec for it, and stay at the server without it. */
  @Test
  void tags() throws Exception {
    byte[] row = rows.nextEmpty();
    byte mine = (byte) 0x41;
    Configuration configuration = SERVER.configuration();
    configuration.set(
        "hbase.client.rpc.codec", "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags");
    try (Connection tagged = ConnectionFactory.createConnection(configuration);
        Table withTags = tagged.getTable(rows.table().name())) {
      Tag[] tags = {
        new ArrayBackedTag(mine, toBytes("first")), new ArrayBackedTag(mine, toBytes("second"))
      };
      Put put = new Put(row).add(new KeyValue(row, F, A, 30, X, tags));
      // In a batch, whose cells travel by the codec; the client leaves out the tags of a put alone.
      withTags.batch(List.of(put), new Object[1]);
      for (int step = 0; step < 3; step++) {
        assertThat(tagsOf(withTags.get(new Get(row)))).isEqualTo("A=first A=second");
        assertThat(tagsOf(table().get(new Get(row)))).isEmpty();
        rows.expect(row, "f:a@30=x");
        if (step == 0) {
          rows.table().flush();
        } else {
          rows.table().majorCompact();
        }
      }
    }
  }

  private static String tagsOf(Result result) {
    StringBuilder text = new StringBuilder();
    Iterator<Tag> tags = PrivateCellUtil.tagsIterator(result.rawCells()[0]);
    while (tags.hasNext()) {
      Tag tag = tags.next();
      text.append(text.length() == 0 ? "" : " ")
          .append((char) tag.getType())
          .append('=')
          .append(Bytes.toString(Tag.cloneValue(tag)));
    }
    return text.toString();
  }

  /** HBase keeps the time to live of a cell as a tag, of which clients see nothing. */
  @Test
  void timesToLive() throws IOException {
    byte[] row = rows.next();
    long hour = 3_600_000;
    long now = System.currentTimeMillis();
    table().put(new Put(row).addColumn(F, A, now - hour, X).setTTL(2 * hour));
    table().put(new Put(row).addColumn(F, A, now - 2 * hour, toBytes("gone")).setTTL(hour));
    table().put(new Put(row).addColumn(G, X, now - hour, toBytes("gone")).setTTL(hour / 2));
    rows.expect(row, "f:a@now=x", A20, A10, N5, X10);
    assertThat(tagsOf(table().get(new Get(row)))).isEmpty();
  }
}
