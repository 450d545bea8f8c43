package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.ddl.ModifyTableProcedure.Change;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcMethod.BlockingHandler;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Registers the methods that change one family of a table. If coprocessors have hooks of table
 * changes, such a method changes the whole descriptor, as in HBase, and hooks may change the
 * descriptor further.
 *
 * @param replace returns a change of a table to the descriptor of a request, which fails if the
 *     table no longer has the given descriptor
 */
record FamilyChanges(
    MasterGate gate,
    Function<TableSchema, BlockingHandler<ModifyTableRequest, ModifyTableResponse>> replace) {
  private static final String MODIFY = "ModifyTable";

  /**
   * Registers a method.
   *
   * @param change returns the change that a request describes
   * @param response makes the response with the id of the procedure
   */
  <Q extends Message, R extends Message> void register(
      MethodGroup.Submission<Q> method,
      Function<Q, HBaseProtos.TableName> table,
      Function<Q, Change> change,
      Function<Long, R> response) {
    BlockingHandler<Q, R> alone =
        method.toEnd(
            (master, user, r) -> TableMethods.change(master, user, table.apply(r), change.apply(r)),
            response);
    method
        .method()
        .handle(
            method.nonce(),
            (call, r) ->
                gate.master().hooks().concerns(MODIFY)
                    ? gate.once(
                        call,
                        method.nonce().apply(r),
                        () -> alone.handle(call, r),
                        () ->
                            response.apply(
                                whole(
                                    call,
                                    table.apply(r),
                                    change.apply(r),
                                    method.nonce().apply(r))))
                    : alone.handle(call, r));
  }

  /**
   * Changes the whole descriptor. The hooks run outside the lock of the table. If the table changes
   * meanwhile, this change fails, because it would undo that one.
   */
  private long whole(
      RpcCall call, HBaseProtos.TableName table, Change change, Optional<Nonce> nonce)
      throws IOException {
    TableSchema present =
        gate.ask(
            call, master -> master.tables().require(TableDescriptorChecker.name(table)).schema());
    ModifyTableRequest.Builder request =
        ModifyTableRequest.newBuilder()
            .setTableName(table)
            .setTableSchema(change.apply(present).message());
    nonce.ifPresent(one -> request.setNonceGroup(one.group()).setNonce(one.number()));
    return HookedMethod.of(
            gate, MODIFY, one -> Optional.<Nonce>empty(), replace.apply(present)) // in turn already
        .handle(call, request.build())
        .getProcId();
  }
}
