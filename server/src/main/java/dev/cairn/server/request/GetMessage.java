package dev.cairn.server.request;

import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.rpc.RpcMethod;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/** The request of a {@code Get}. */
public sealed interface GetMessage {
  /**
   * What most gets ask: the cells of a row, all or those of some columns.
   *
   * @param regionName the full name
   * @param row what the region is asked
   */
  record Plain(ByteString regionName, ScanRequest row) implements GetMessage {
    @Override
    public RegionSpecifier region() {
      return PlainQueryFields.specifier(regionName);
    }
  }

  /** Any get, as protobuf has it. */
  record Any(GetRequest request) implements GetMessage {
    @Override
    public RegionSpecifier region() {
      return request.getRegion();
    }
  }

  /** Reads gets of any kind. */
  RpcMethod.Parser<GetRequest> ANY = RpcMethod.Parser.of(GetRequest.getDefaultInstance());

  /** Reads a message. */
  static GetMessage parse(byte[] message) throws InvalidProtocolBufferException {
    Optional<Plain> plain = PlainGetReader.read(message);
    return plain.isPresent() ? plain.get() : new Any(ANY.parse(message));
  }

  /** Returns which region is asked. */
  RegionSpecifier region();
}
