package dev.cairn.server.catalog;

import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * Tells the server of a region that moves that the region's next server expects it: calls that come
 * there wait for the region. A field of {@link CloseRegionRequest} that HBase does not have.
 */
public final class ExpectedField {
  /** The number of the field, a varint of 1. */
  private static final int FIELD = 1000;

  private ExpectedField() {}

  /** Adds the field to an order. */
  public static void write(CloseRegionRequest.Builder order) {
    order.setUnknownFields(
        UnknownFieldSet.newBuilder()
            .addField(FIELD, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build());
  }

  /** Tells whether an order has the field. */
  public static boolean isIn(CloseRegionRequest order) {
    return order.getUnknownFields().getField(FIELD).getVarintList().contains(1L);
  }
}
