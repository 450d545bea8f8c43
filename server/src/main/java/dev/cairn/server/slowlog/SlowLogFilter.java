package dev.cairn.server.slowlog;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest.FilterByOperator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest.LogType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload.Type;

/**
 * Selects kept calls. Region and user must be equal to those of the call. A table matches calls to
 * its regions. A client is an address with or without port. A call matches if it meets any
 * condition, or all of them if the request has {@code AND}. Without conditions, each call matches.
 *
 * @param other the type of call that is not requested; calls that are both slow and large always
 *     match
 * @param conditions the conditions of the request
 * @param all whether all conditions must be met
 * @param limit the maximum number of calls
 */
record SlowLogFilter(
    Type other, List<Predicate<SlowLogPayload>> conditions, boolean all, int limit) {

  static SlowLogFilter of(SlowLogResponseRequest request) {
    List<Predicate<SlowLogPayload>> conditions = new ArrayList<>();
    if (!request.getRegionName().isEmpty()) {
      conditions.add(call -> call.getRegionName().equals(request.getRegionName()));
    }
    if (!request.getTableName().isEmpty()) {
      conditions.add(call -> call.getRegionName().startsWith(request.getTableName() + ","));
    }
    if (!request.getClientAddress().isEmpty()) {
      conditions.add(call -> isClient(call.getClientAddress(), request.getClientAddress()));
    }
    if (!request.getUserName().isEmpty()) {
      conditions.add(call -> call.getUserName().equals(request.getUserName()));
    }
    return new SlowLogFilter(
        request.getLogType() == LogType.LARGE_LOG ? Type.SLOW_LOG : Type.LARGE_LOG,
        conditions,
        request.getFilterByOperator() == FilterByOperator.AND,
        request.getLimit());
  }

  private static boolean isClient(String client, String wanted) {
    int colon = client.lastIndexOf(':');
    return client.equals(wanted) || colon > 0 && client.substring(0, colon).equals(wanted);
  }

  /** Returns the first selected calls, in the given order. */
  List<SlowLogPayload> apply(List<SlowLogPayload> calls) {
    return calls.stream()
        .filter(call -> call.getType() != other)
        .filter(this::meets)
        .limit(Math.max(0, limit))
        .toList();
  }

  private boolean meets(SlowLogPayload call) {
    return conditions.isEmpty()
        || (all
            ? conditions.stream().allMatch(condition -> condition.test(call))
            : conditions.stream().anyMatch(condition -> condition.test(call)));
  }
}
