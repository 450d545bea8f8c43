package dev.cairn.server.master.service;

import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.procedure.ClientLocks;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcService;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockHeartbeatRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockHeartbeatResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockHeartbeatResponse.LockStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockProcedureData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockResponse;

/** Implements {@code LockService}: locks of clients that exclude procedures. */
final class LockMethods {
  private LockMethods() {}

  static RpcService service(MasterGate gate, List<CallInterceptor> interceptors) {
    RpcService.Builder service = RpcService.builder(MethodTables.LOCK, interceptors);
    MethodGroup rpc = new MethodGroup(service, gate);
    rpc.about("RequestLock", LockRequest.getDefaultInstance(), LockMethods::subject)
        .handle(
            LockMethods::nonce,
            (call, r) -> gate.ask(call, master -> request(master, call.user(), r)));
    rpc.cluster("LockHeartbeat", LockHeartbeatRequest.getDefaultInstance())
        .ask((master, r) -> heartbeat(master.procedures().clientLocks(), r));
    return service.build();
  }

  private static Optional<Nonce> nonce(LockRequest request) {
    return Nonce.of(request.getNonceGroup(), request.getNonce());
  }

  private static LockResponse request(ActiveMaster master, String user, LockRequest request)
      throws IOException {
    try {
      long id = master.procedures().clientLocks().request(data(request), user, nonce(request));
      return LockResponse.newBuilder().setProcId(id).build();
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  private static LockHeartbeatResponse heartbeat(ClientLocks locks, LockHeartbeatRequest request) {
    if (!request.getKeepAlive()) {
      locks.release(request.getProcId());
    } else if (locks.heartbeat(request.getProcId())) {
      return LockHeartbeatResponse.newBuilder()
          .setLockStatus(LockStatus.LOCKED)
          .setTimeoutMs((int) locks.timeout().toMillis())
          .build();
    }
    return LockHeartbeatResponse.newBuilder().setLockStatus(LockStatus.UNLOCKED).build();
  }

  private static CallSubject subject(RpcCall call, LockRequest request) {
    return request.getRegionInfoCount() > 0
        ? CallSubject.regionsNamed(
            request.getRegionInfoList().stream()
                .map(region -> Messages.regionInfo(region).regionName())
                .toList())
        : CallSubject.tableOrNamespace(
            request.hasTableName() ? Optional.of(request.getTableName()) : Optional.empty(),
            request.hasNamespace() ? Optional.of(request.getNamespace()) : Optional.empty());
  }

  private static LockProcedureData data(LockRequest request) {
    LockProcedureData.Builder data =
        LockProcedureData.newBuilder()
            .setLockType(request.getLockType())
            .addAllRegionInfo(request.getRegionInfoList());
    if (request.hasNamespace()) {
      data.setNamespace(request.getNamespace());
    }
    if (request.hasTableName()) {
      data.setTableName(request.getTableName());
    }
    if (request.hasDescription()) {
      data.setDescription(request.getDescription());
    }
    return data.build();
  }
}
