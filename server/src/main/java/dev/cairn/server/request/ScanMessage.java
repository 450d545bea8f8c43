package dev.cairn.server.request;

import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.request.QueryFields.QueryExtras;
import java.io.IOException;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The request of a {@code Scan}: the scan, and the limits of this call.
 *
 * @param subject the scan that is opened, or was
 * @param rows maximum number of results of the response; not negative in a valid request
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

  /** The scan that a message addresses. */
  public sealed interface Subject {}

  /**
   * Opens a scan.
   *
   * @param regionName the name of the region; empty if the request names none
   * @param hasEncodedName whether {@code regionName} is the encoded name
   * @param request the engine's request without the extras; its start may lie outside the region
   * @param batch the most cells of a result; no limit if not positive
   * @param maxResultSize how many bytes of cells the client wants at once; no matter if not
   *     positive
   * @param small whether the client expects everything in one response, in whole rows
   * @param wantsCursor whether heartbeats tell how far the scan has come
   * @param extras completed by {@link QueryDecoder}
   * @param message the array with the call's message, not to be changed
   * @param queryOffset where the message of the scan begins in it
   * @param queryLength the length of the message of the scan
   */
  public record Opening(
      ByteString regionName,
      boolean hasEncodedName,
      ScanRequest request,
      int batch,
      long maxResultSize,
      boolean small,
      boolean wantsCursor,
      QueryExtras extras,
      byte[] message,
      int queryOffset,
      int queryLength)
      implements Subject, RegionRequest {
    /** Returns the scan as it was sent. */
    public Scan sent() throws IOException {
      return QueryFields.query(Scan.parser(), message, queryOffset, queryLength);
    }

    /** Tells whether there is a filter, whose cost is unknown. */
    public boolean hasFilter() {
      return extras.filter().isPresent();
    }

    @Override
    public boolean isForReplicasToo() {
      return extras.fromReplicas();
    }
  }

  /** A scan that was opened before. */
  public record Known(long scannerId) implements Subject {}

  /** A request that names no scan. */
  public record Nothing() implements Subject {}

  static final Nothing NOTHING = new Nothing();

  /**
   * Reads a message.
   *
   * @throws InvalidProtocolBufferException if the bytes are no such message
   */
  public static ScanMessage parse(byte[] message) throws InvalidProtocolBufferException {
    try {
      return new ScanReader(message).message();
    } catch (IOException e) {
      throw MessageReader.malformed(e);
    }
  }

  /** Returns how many rows a call asks for: one, if it does not say so and is not the last. */
  static int rows(OptionalLong asked, boolean closes) {
    return asked.isPresent() ? (int) asked.getAsLong() : closes ? 0 : 1;
  }
}
