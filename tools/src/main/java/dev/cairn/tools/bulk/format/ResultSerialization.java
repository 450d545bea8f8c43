package dev.cairn.tools.bulk.format;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.io.serializer.Deserializer;
import org.apache.hadoop.io.serializer.Serialization;
import org.apache.hadoop.io.serializer.Serializer;

/**
 * Puts results into sequence files as HBase's {@code Export} does: the message {@code Result} after
 * its length, with the cells' tags. Hadoop creates it by its class name.
 */
public final class ResultSerialization implements Serialization<Result> {
  /** Creates the serialization. */
  public ResultSerialization() {}

  @Override
  public boolean accept(Class<?> type) {
    return Result.class.isAssignableFrom(type);
  }

  @Override
  public Serializer<Result> getSerializer(Class<Result> type) {
    return new Serializer<>() {
      private final ResultMessage message = new ResultMessage();
      private OutputStream out = OutputStream.nullOutputStream();

      @Override
      public void open(OutputStream stream) {
        out = stream;
      }

      @Override
      public void serialize(Result result) throws IOException {
        if (result.isEmpty()) {
          ProtobufUtil.toResult(result, true).writeDelimitedTo(out);
        } else {
          message.write(result, out);
        }
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  @Override
  public Deserializer<Result> getDeserializer(Class<Result> type) {
    return new Deserializer<>() {
      private final ResultMessage message = new ResultMessage();
      private InputStream in = InputStream.nullInputStream();

      @Override
      public void open(InputStream stream) {
        in = stream;
      }

      @Override
      public Result deserialize(Result unused) throws IOException {
        return Result.create(message.read(in));
      }

      @Override
      public void close() throws IOException {
        in.close();
      }
    };
  }
}
