package dev.cairn.server.request;

import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.rpc.RpcMethod;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The request of a {@code Scan}: which scan is meant, and what this call wants of it.
 *
 * @param subject the scan that is opened, or was
 * @param rows how many results the response may have; not negative in what is to be answered
 * @param closes whether the scan ends with this call
 * @param renews whether nothing is wanted but that the scanner be kept for longer
 * @param sequence the number of the call among those of its scanner, if the client counts them
 * @param takesParts whether the client puts rows together that come in parts
 * @param takesHeartbeats whether the client understands a response without results that ends
 *     nothing
 * @param tracked whether figures of the call are wanted
 * @param trackedByResult whether figures of each result are wanted
 * @param limitOfRows after how many rows the client has all it wants; none if not positive
 */
public record ScanMessage(
    Subject subject,
    int rows,
    boolean closes,
    boolean renews,
    OptionalLong sequence,
    boolean takesParts,
    boolean takesHeartbeats,
    boolean tracked,
    boolean trackedByResult,
    int limitOfRows) {

  /** Which scan is meant. */
  public sealed interface Subject {}

  /** A scan that begins. */
  public sealed interface Opening extends Subject {
    /** Returns which region is asked. */
    RegionSpecifier region();
  }

  /**
   * What most scans ask: the cells of some rows, all or those of some columns.
   *
   * @param regionName the full name
   * @param request what the region is asked, but for a start that lies outside of it
   * @param maxResultSize how many bytes of cells the client wants at once; no matter if not
   *     positive
   * @param small whether the client expects everything in one response, in whole rows
   * @param wantsCursor whether heartbeats tell how far the scan has come
   */
  public record Plain(
      ByteString regionName,
      ScanRequest request,
      long maxResultSize,
      boolean small,
      boolean wantsCursor)
      implements Opening {
    @Override
    public RegionSpecifier region() {
      return PlainQueryFields.specifier(regionName);
    }
  }

  /** Any scan that begins, as protobuf has it. */
  public record Any(RegionSpecifier region, Scan scan) implements Opening {}

  /** A scan that was opened before. */
  public record Known(long scannerId) implements Subject {}

  /** A request that names no scan. */
  public record Nothing() implements Subject {}

  private static final Nothing NOTHING = new Nothing();

  private static final RpcMethod.Parser<ClientProtos.ScanRequest> ANY =
      RpcMethod.Parser.of(ClientProtos.ScanRequest.getDefaultInstance());

  /** Reads a message. */
  public static ScanMessage parse(byte[] message) throws InvalidProtocolBufferException {
    Optional<ScanMessage> plain = PlainScanReader.read(message);
    return plain.isPresent() ? plain.get() : of(ANY.parse(message));
  }

  /** Returns what a request of any kind says. */
  static ScanMessage of(ClientProtos.ScanRequest request) {
    return new ScanMessage(
        subject(request),
        rows(
            request.hasNumberOfRows()
                ? OptionalLong.of(request.getNumberOfRows())
                : OptionalLong.empty(),
            request.getCloseScanner()),
        request.getCloseScanner(),
        request.getRenew(),
        request.hasNextCallSeq() ? OptionalLong.of(request.getNextCallSeq()) : OptionalLong.empty(),
        request.getClientHandlesPartials(),
        request.getClientHandlesHeartbeats(),
        request.getTrackScanMetrics(),
        request.getScan().getQueryMetricsEnabled(),
        request.getLimitOfRows());
  }

  private static Subject subject(ClientProtos.ScanRequest request) {
    if (request.hasScannerId()) {
      return new Known(request.getScannerId());
    }
    return request.hasScan() ? new Any(request.getRegion(), request.getScan()) : NOTHING;
  }

  /** Returns how many rows a call asks for: one, if it does not say so and is not the last. */
  static int rows(OptionalLong asked, boolean closes) {
    return asked.isPresent() ? (int) asked.getAsLong() : closes ? 0 : 1;
  }
}
