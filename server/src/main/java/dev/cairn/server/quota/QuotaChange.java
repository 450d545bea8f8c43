package dev.cairn.server.quota;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuota;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Throttle;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.ThrottleRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;

/** Applies a request to quota settings. Stateless. */
public final class QuotaChange {
  private QuotaChange() {}

  /**
   * Returns the new settings; empty if none are left.
   *
   * @throws DoNotRetryIOException if the request is malformed
   */
  public static Optional<Quotas> apply(Quotas present, SetQuotaRequest request) throws IOException {
    if (request.hasRemoveAll() && request.getRemoveAll()) {
      return Optional.empty();
    }
    Quotas.Builder changed = present.toBuilder();
    if (request.hasThrottle()) {
      Throttle throttle = apply(present.getThrottle(), request.getThrottle());
      if (throttle.getAllFields().isEmpty()) {
        changed.clearThrottle();
      } else {
        changed.setThrottle(throttle);
      }
    }
    if (request.getBypassGlobals()) {
      changed.setBypassGlobals(true);
    } else if (request.hasBypassGlobals()) {
      // An empty row would end the list that HBase's client makes of the settings.
      changed.clearBypassGlobals();
    }
    if (request.hasSpaceLimit()) {
      SpaceQuota limit = request.getSpaceLimit().getQuota();
      if (limit.getRemove()) {
        changed.clearSpace();
      } else {
        changed.setSpace(checked(limit));
      }
    }
    return changed.getAllFields().isEmpty() ? Optional.empty() : Optional.of(changed.build());
  }

  private static SpaceQuota checked(SpaceQuota limit) throws IOException {
    if (!limit.hasSoftLimit() || limit.getSoftLimit() < 0 || !limit.hasViolationPolicy()) {
      throw new DoNotRetryIOException(
          "A limit on space needs a number of bytes, from 0, and a policy, got "
              + limit.getSoftLimit()
              + " and "
              + (limit.hasViolationPolicy() ? limit.getViolationPolicy().name() : "none"));
    }
    return SpaceQuota.newBuilder()
        .setSoftLimit(limit.getSoftLimit())
        .setViolationPolicy(limit.getViolationPolicy())
        .build();
  }

  private static Throttle apply(Throttle present, ThrottleRequest request) throws IOException {
    if (!request.hasType()) {
      if (request.hasTimedQuota()) {
        throw new DoNotRetryIOException("A throttle without a type limits nothing");
      }
      return Throttle.getDefaultInstance();
    }
    FieldDescriptor field = ThrottleKind.of(request.getType()).field();
    if (!request.hasTimedQuota()) {
      return present.toBuilder().clearField(field).build();
    }
    if (request.getTimedQuota().getSoftLimit() < 1) {
      throw new DoNotRetryIOException(
          "The throttle limit must be greater then 0, got "
              + request.getTimedQuota().getSoftLimit());
    }
    return present.toBuilder().setField(field, request.getTimedQuota()).build();
  }
}
