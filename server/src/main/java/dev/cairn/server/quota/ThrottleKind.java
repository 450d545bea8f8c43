package dev.cairn.server.quota;

import dev.cairn.server.quota.Throttles.Usage;
import org.apache.hadoop.hbase.quotas.RpcThrottlingException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Throttle;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.ThrottleType;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;

/**
 * The kinds of limits: each defines the amount that a call uses, and the message when it is
 * exceeded.
 */
enum ThrottleKind {
  REQUEST_NUMBER("req_num", RpcThrottlingException::throwNumRequestsExceeded),
  REQUEST_SIZE("req_size", RpcThrottlingException::throwRequestSizeExceeded),
  WRITE_NUMBER("write_num", RpcThrottlingException::throwNumWriteRequestsExceeded),
  WRITE_SIZE("write_size", RpcThrottlingException::throwWriteSizeExceeded),
  READ_NUMBER("read_num", RpcThrottlingException::throwNumReadRequestsExceeded),
  READ_SIZE("read_size", RpcThrottlingException::throwReadSizeExceeded),
  REQUEST_CAPACITY_UNIT(
      "req_capacity_unit", RpcThrottlingException::throwRequestCapacityUnitExceeded),
  WRITE_CAPACITY_UNIT(
      "write_capacity_unit", RpcThrottlingException::throwWriteCapacityUnitExceeded),
  READ_CAPACITY_UNIT("read_capacity_unit", RpcThrottlingException::throwReadCapacityUnitExceeded),
  ATOMIC_READ_SIZE("atomic_read_size", RpcThrottlingException::throwAtomicReadSizeExceeded),
  ATOMIC_REQUEST_NUMBER("atomic_req_num", RpcThrottlingException::throwAtomicRequestNumberExceeded),
  ATOMIC_WRITE_SIZE("atomic_write_size", RpcThrottlingException::throwAtomicWriteSizeExceeded),
  REQUEST_HANDLER_USAGE_MS(
      "req_handler_usage_ms", RpcThrottlingException::throwRequestHandlerUsageTimeExceeded);

  /** Throws HBase's exception for an excess. */
  @FunctionalInterface
  interface Excess {
    void tell(long waitMillis) throws RpcThrottlingException;
  }

  /** The bytes that cost one unit of capacity, HBase's default. */
  private static final long UNIT_BYTES = 1024;

  private final FieldDescriptor field;
  private final Excess excess;

  ThrottleKind(String field, Excess excess) {
    this.field = Throttle.getDescriptor().findFieldByName(field);
    this.excess = excess;
  }

  static ThrottleKind of(ThrottleType type) {
    return valueOf(type.name());
  }

  /** Returns where a message has the limit. */
  FieldDescriptor field() {
    return field;
  }

  Excess excess() {
    return excess;
  }

  /** Returns the amount that a call asks for, as known before it runs. */
  long asked(Usage usage) {
    return switch (this) {
      case REQUEST_NUMBER -> usage.reads() + usage.writes();
      case WRITE_NUMBER -> usage.writes();
      case READ_NUMBER -> usage.reads();
      case REQUEST_SIZE, WRITE_SIZE -> usage.writeBytes();
      case REQUEST_CAPACITY_UNIT, WRITE_CAPACITY_UNIT -> units(usage.writeBytes());
      case ATOMIC_REQUEST_NUMBER -> usage.atomics();
      case ATOMIC_WRITE_SIZE -> usage.atomics() > 0 ? usage.writeBytes() : 0;
      case READ_SIZE, READ_CAPACITY_UNIT, ATOMIC_READ_SIZE, REQUEST_HANDLER_USAGE_MS -> 0;
    };
  }

  /** Returns how much of it a call turned out to use in addition. */
  long found(boolean atomic, long readBytes, long handlerMillis) {
    return switch (this) {
      case REQUEST_SIZE, READ_SIZE -> readBytes;
      case REQUEST_CAPACITY_UNIT, READ_CAPACITY_UNIT -> units(readBytes);
      case ATOMIC_READ_SIZE -> atomic ? readBytes : 0;
      case REQUEST_HANDLER_USAGE_MS -> handlerMillis;
      default -> 0;
    };
  }

  /** Tells whether a call that asks for {@code usage} has anything to do with this limit. */
  boolean concerns(Usage usage) {
    return switch (this) {
      case REQUEST_NUMBER, REQUEST_SIZE, REQUEST_CAPACITY_UNIT, REQUEST_HANDLER_USAGE_MS -> true;
      case WRITE_NUMBER, WRITE_SIZE, WRITE_CAPACITY_UNIT -> usage.writes() > 0;
      case READ_NUMBER, READ_SIZE, READ_CAPACITY_UNIT -> usage.reads() > 0;
      case ATOMIC_READ_SIZE, ATOMIC_REQUEST_NUMBER, ATOMIC_WRITE_SIZE -> usage.atomics() > 0;
    };
  }

  private static long units(long bytes) {
    return (bytes + UNIT_BYTES - 1) / UNIT_BYTES;
  }
}
