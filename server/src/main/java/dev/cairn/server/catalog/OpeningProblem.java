package dev.cairn.server.catalog;

import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * Why a region server does not serve a region that it was ordered to open. The server sends it to
 * the master in fields of {@link RegionStateTransition} that HBase does not have. With {@code
 * FAILED_OPEN} the region is not open. With {@code OPENED} the server answers every call of the
 * region with the reason.
 *
 * @param reason a sentence without a full stop
 * @param isOfHooks whether a coprocessor does not let the region open
 */
public record OpeningProblem(String reason, boolean isOfHooks) {
  /** The number of the field with the reason, a text. */
  private static final int REASON = 1000;

  /** The number of the field for coprocessors, a varint of 1. */
  private static final int HOOKS = 1001;

  private static final int LENGTH_MAX = 4_000;

  /** Cuts off a very long reason. */
  public OpeningProblem {
    if (reason.length() > LENGTH_MAX) {
      reason = reason.substring(0, LENGTH_MAX) + " …";
    }
  }

  /** Adds the problem to a report. */
  public void write(RegionStateTransition.Builder report) {
    UnknownFieldSet.Builder fields =
        UnknownFieldSet.newBuilder()
            .addField(
                REASON,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFromUtf8(reason))
                    .build());
    if (isOfHooks) {
      fields.addField(HOOKS, UnknownFieldSet.Field.newBuilder().addVarint(1).build());
    }
    report.setUnknownFields(fields.build());
  }

  /** Returns the problem in a report; empty if there is none. */
  public static Optional<OpeningProblem> read(RegionStateTransition report) {
    UnknownFieldSet fields = report.getUnknownFields();
    boolean isOfHooks = fields.getField(HOOKS).getVarintList().contains(1L);
    return fields.getField(REASON).getLengthDelimitedList().stream()
        .findFirst()
        .map(text -> new OpeningProblem(text.toStringUtf8(), isOfHooks));
  }
}
