package dev.cairn.tools.bulk.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.junit.jupiter.api.Test;

/** The bytes are those of HBase's own classes. */
class ResultMessageTest {
  private static final int ROWS = 500;

  private final ResultMessage message = new ResultMessage();

  private static byte[] bytes(Random random, int lengthMax) {
    byte[] bytes = new byte[random.nextInt(lengthMax + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static Result row(Random random) {
    byte[] row = new byte[1 + random.nextInt(300)];
    random.nextBytes(row);
    List<Cell> cells = new ArrayList<>();
    KeyValue.Type[] types = {
      KeyValue.Type.Put,
      KeyValue.Type.Delete,
      KeyValue.Type.DeleteColumn,
      KeyValue.Type.DeleteFamily,
      KeyValue.Type.DeleteFamilyVersion
    };
    for (int i = random.nextInt(5); i >= 0; i--) {
      List<Tag> tags = new ArrayList<>();
      for (int tag = random.nextInt(3); tag > 0; tag--) {
        tags.add(new ArrayBackedTag((byte) random.nextInt(100), bytes(random, 20)));
      }
      long timestamp = random.nextBoolean() ? random.nextInt(1000) : random.nextLong() >>> 1;
      cells.add(
          new KeyValue(
              row,
              bytes(random, 20),
              bytes(random, 200),
              timestamp,
              types[random.nextInt(types.length)],
              bytes(random, random.nextInt(10) == 0 ? 100_000 : 40),
              tags));
    }
    return Result.create(cells);
  }

  private static List<byte[]> contents(Result result) {
    List<byte[]> contents = new ArrayList<>();
    for (Cell cell : result.rawCells()) {
      ExtendedCell extended = (ExtendedCell) cell;
      contents.add(
          Arrays.copyOfRange(
              extended.getTagsArray(),
              extended.getTagsOffset(),
              extended.getTagsOffset() + extended.getTagsLength()));
      contents.add((cell.toString()).getBytes(java.nio.charset.StandardCharsets.UTF_8));
      contents.add(
          Arrays.copyOfRange(
              cell.getValueArray(),
              cell.getValueOffset(),
              cell.getValueOffset() + cell.getValueLength()));
    }
    return contents;
  }

  @Test
  void rowsAreWrittenAndReadAsByHBase() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < ROWS; i++) {
      Result row = row(random);
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      ProtobufUtil.toResult(row, true).writeDelimitedTo(expected);
      ByteArrayOutputStream written = new ByteArrayOutputStream();
      message.write(row, written);
      assertThat(written.toByteArray()).as("row %d", i).isEqualTo(expected.toByteArray());
      Result read = Result.create(message.read(new ByteArrayInputStream(written.toByteArray())));
      Result readByHBase =
          ProtobufUtil.toResult(
              ClientProtos.Result.parseDelimitedFrom(
                  new ByteArrayInputStream(written.toByteArray())),
              true);
      assertThat(contents(read))
          .usingElementComparator(Arrays::compare)
          .isEqualTo(contents(readByHBase));
    }
  }

  @Test
  void aDamagedRowIsRefused() throws IOException {
    Random random = new Random(2);
    for (int i = 0; i < ROWS; i++) {
      ByteArrayOutputStream written = new ByteArrayOutputStream();
      message.write(row(random), written);
      byte[] damaged = Arrays.copyOf(written.toByteArray(), written.size() - 1);
      assertThatThrownBy(() -> message.read(new ByteArrayInputStream(damaged)))
          .isInstanceOf(IOException.class);
      byte[] changed = written.toByteArray();
      changed[random.nextInt(changed.length)] ^= (byte) (1 + random.nextInt(255));
      try {
        message.read(new ByteArrayInputStream(changed));
      } catch (IOException e) {
        continue; // Nothing else is thrown.
      }
    }
  }
}
