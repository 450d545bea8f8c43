package dev.cairn.coprocessor.master;

import dev.cairn.coprocessor.convert.MasterValues;
import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.server.master.hook.MasterHooks.Body;
import dev.cairn.server.master.hook.MasterView;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.MasterCoprocessorHost;
import org.apache.hadoop.hbase.master.locking.LockProcedure;
import org.apache.hadoop.hbase.procedure2.LockType;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockHeartbeatRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockHeartbeatResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockProcedureData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AbortProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetLocksRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProceduresRequest;

/** The hooks around the methods about procedures and clients' locks. */
record ProcedureCalls(MasterCoprocessorHost host, MasterView view, ServerEnvironment environment) {
  void register(MasterCalls calls) {
    calls.on(
        "AbortProcedure",
        AbortProcedureRequest.class,
        "preAbortProcedure",
        r -> host.preAbortProcedure(null, r.getProcId()), // hooks do not get the executor
        "postAbortProcedure",
        r -> host.postAbortProcedure());
    calls.on(
        "GetProcedures",
        GetProceduresRequest.class,
        "preGetProcedures",
        r -> host.preGetProcedures(),
        "postGetProcedures",
        r -> host.postGetProcedures(List.of())); // the host does not show hooks the list
    calls.on(
        "GetLocks",
        GetLocksRequest.class,
        "preGetLocks",
        r -> host.preGetLocks(),
        "postGetLocks",
        r -> host.postGetLocks(List.of())); // as above
    calls.on(
        "LockService.RequestLock",
        LockRequest.class,
        this::request,
        "preRequestLock",
        "postRequestLock");
    calls.on(
        "LockService.LockHeartbeat",
        LockHeartbeatRequest.class,
        this::heartbeat,
        "preLockHeartbeat",
        "postLockHeartbeat");
  }

  /** Shows hooks the one target that HBase would lock. */
  private LockResponse request(LockRequest r, Body<LockRequest, LockResponse> body)
      throws IOException {
    RegionInfo[] regions =
        r.getRegionInfoCount() == 0 ? null : MasterValues.regions(r.getRegionInfoList());
    TableName table =
        regions == null && r.hasTableName() ? ProtobufUtil.toTableName(r.getTableName()) : null;
    String namespace =
        regions == null && table == null && r.hasNamespace() ? r.getNamespace() : null;
    LockType type = type(r.getLockType());
    host.preRequestLock(namespace, table, regions, type, r.getDescription());
    LockResponse response = body.run(r);
    host.postRequestLock(namespace, table, regions, type, r.getDescription());
    return response;
  }

  private LockHeartbeatResponse heartbeat(
      LockHeartbeatRequest r, Body<LockHeartbeatRequest, LockHeartbeatResponse> body)
      throws IOException {
    Optional<LockProcedureData> lock = view.lock(r.getProcId());
    if (lock.isEmpty()) {
      return body.run(r);
    }
    LockProcedure shown = shown(lock.get());
    host.preLockHeartbeat(shown, r.getKeepAlive());
    LockHeartbeatResponse response = body.run(r);
    host.postLockHeartbeat(shown, r.getKeepAlive());
    return response;
  }

  private LockProcedure shown(LockProcedureData lock) {
    LockType type = type(lock.getLockType());
    String text = lock.getDescription();
    if (lock.getRegionInfoCount() > 0) {
      return new LockProcedure(
          environment.settings(), MasterValues.regions(lock.getRegionInfoList()), type, text, null);
    }
    return lock.hasTableName()
        ? new LockProcedure(
            environment.settings(), ProtobufUtil.toTableName(lock.getTableName()), type, text, null)
        : new LockProcedure(environment.settings(), lock.getNamespace(), type, text, null);
  }

  private static LockType type(LockServiceProtos.LockType type) {
    return LockType.valueOf(type.name());
  }
}
