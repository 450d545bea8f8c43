package dev.cairn.server.catalog;

import dev.cairn.engine.region.HotBlocks;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetStoreFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetStoreFileResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WarmupRegionRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * The hot blocks of a region that moves, in fields of messages that HBase does not have. The master
 * asks the region's server for its store files ({@link GetStoreFileRequest}) and for their cached
 * blocks, and passes these on to the region's next server ({@link WarmupRegionRequest}). A server
 * of HBase ignores the fields.
 *
 * <p>Each file is one value of the field: the family's name, the file's name, and the differences
 * of the ascending offsets, as varints.
 */
public final class HotBlocksField {
  /** Larger lists are not taken. */
  public static final int BLOCKS_MAX = 100_000;

  /** In a request for store files: a varint of 1. Else one value for each file. */
  private static final int BLOCKS = 1000;

  /** The milliseconds that a warm-up may take, a varint. */
  private static final int MILLIS = 1001;

  private HotBlocksField() {}

  /** Asks for the cached blocks. */
  public static void ask(GetStoreFileRequest.Builder request) {
    request.setUnknownFields(UnknownFieldSet.newBuilder().addField(BLOCKS, varint(1)).build());
  }

  /** Tells whether the cached blocks are asked for. */
  public static boolean isAsked(GetStoreFileRequest request) {
    return request.getUnknownFields().getField(BLOCKS).getVarintList().contains(1L);
  }

  /** Adds the cached blocks to a response. */
  public static void write(GetStoreFileResponse.Builder response, HotBlocks blocks)
      throws IOException {
    UnknownFieldSet.Field.Builder files = UnknownFieldSet.Field.newBuilder();
    for (Map.Entry<HotBlocks.File, long[]> file : blocks.offsets().entrySet()) {
      files.addLengthDelimited(encode(file.getKey(), file.getValue()));
    }
    response.setUnknownFields(UnknownFieldSet.newBuilder().addField(BLOCKS, files.build()).build());
  }

  /** Passes the cached blocks of a response on to a warm-up, which may take {@code timeout}. */
  public static void pass(
      GetStoreFileResponse response, WarmupRegionRequest.Builder warmUp, Duration timeout) {
    warmUp.setUnknownFields(
        UnknownFieldSet.newBuilder()
            .addField(BLOCKS, response.getUnknownFields().getField(BLOCKS))
            .addField(MILLIS, varint(timeout.toMillis()))
            .build());
  }

  /** Returns the time that a warm-up may take; empty if the request does not say. */
  public static Optional<Duration> timeout(WarmupRegionRequest request) {
    return request.getUnknownFields().getField(MILLIS).getVarintList().stream()
        .findFirst()
        .map(Duration::ofMillis);
  }

  /**
   * Returns the hot blocks of a warm-up.
   *
   * @throws IOException if the field is malformed, or has too many blocks
   */
  public static HotBlocks read(WarmupRegionRequest request) throws IOException {
    Map<HotBlocks.File, long[]> offsets = new HashMap<>();
    int left = BLOCKS_MAX;
    for (ByteString file : request.getUnknownFields().getField(BLOCKS).getLengthDelimitedList()) {
      CodedInputStream in = file.newCodedInput();
      HotBlocks.File name = new HotBlocks.File(in.readString(), in.readString());
      List<Long> blocks = new ArrayList<>();
      long offset = 0;
      while (!in.isAtEnd()) {
        offset += in.readUInt64();
        blocks.add(offset);
        if (--left < 0) {
          throw new IOException("There are more than " + BLOCKS_MAX + " hot blocks");
        }
      }
      offsets.put(name, blocks.stream().mapToLong(Long::longValue).sorted().toArray());
    }
    return new HotBlocks(offsets);
  }

  private static ByteString encode(HotBlocks.File file, long[] offsets) throws IOException {
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeStringNoTag(file.family());
    out.writeStringNoTag(file.name());
    long before = 0;
    for (long offset : offsets) {
      out.writeUInt64NoTag(offset - before);
      before = offset;
    }
    out.flush();
    return bytes.toByteString();
  }

  private static UnknownFieldSet.Field varint(long value) {
    return UnknownFieldSet.Field.newBuilder().addVarint(value).build();
  }
}
