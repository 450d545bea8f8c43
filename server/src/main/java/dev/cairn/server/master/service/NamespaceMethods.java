package dev.cairn.server.master.service;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.ddl.NamespaceProcedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcService;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateNamespaceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteNamespaceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetNamespaceDescriptorRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetNamespaceDescriptorResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListNamespaceDescriptorsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListNamespaceDescriptorsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListNamespacesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListNamespacesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyNamespaceResponse;

/** The methods of {@code MasterService} about namespaces. */
final class NamespaceMethods {
  private NamespaceMethods() {}

  static void register(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "CreateNamespace",
            CreateNamespaceRequest.getDefaultInstance(),
            (call, request) ->
                new CallSubject.Namespace(
                    request.getNamespaceDescriptor().getName().toStringUtf8()),
            (call, request) ->
                CreateNamespaceResponse.newBuilder()
                    .setProcId(
                        submit(
                            gate,
                            call,
                            ProcedureKind.CREATE_NAMESPACE,
                            request.getNamespaceDescriptor(),
                            request.getNonceGroup(),
                            request.getNonce()))
                    .build())
        .on(
            "ModifyNamespace",
            ModifyNamespaceRequest.getDefaultInstance(),
            (call, request) ->
                new CallSubject.Namespace(
                    request.getNamespaceDescriptor().getName().toStringUtf8()),
            (call, request) ->
                ModifyNamespaceResponse.newBuilder()
                    .setProcId(
                        submit(
                            gate,
                            call,
                            ProcedureKind.MODIFY_NAMESPACE,
                            request.getNamespaceDescriptor(),
                            request.getNonceGroup(),
                            request.getNonce()))
                    .build())
        .on(
            "DeleteNamespace",
            DeleteNamespaceRequest.getDefaultInstance(),
            (call, request) -> new CallSubject.Namespace(request.getNamespaceName()),
            (call, request) ->
                DeleteNamespaceResponse.newBuilder()
                    .setProcId(
                        submit(
                            gate,
                            call,
                            ProcedureKind.DELETE_NAMESPACE,
                            NamespaceDescriptor.newBuilder()
                                .setName(Messages.wrap(Bytes.utf8(request.getNamespaceName())))
                                .build(),
                            request.getNonceGroup(),
                            request.getNonce()))
                    .build())
        .on(
            "GetNamespaceDescriptor",
            GetNamespaceDescriptorRequest.getDefaultInstance(),
            (call, request) -> new CallSubject.Namespace(request.getNamespaceName()),
            (call, request) ->
                gate.ask(
                    call,
                    master ->
                        GetNamespaceDescriptorResponse.newBuilder()
                            .setNamespaceDescriptor(
                                master.namespaces().require(request.getNamespaceName()))
                            .build()))
        .on(
            "ListNamespaceDescriptors",
            ListNamespaceDescriptorsRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      master.namespaces().checkReadable();
                      return ListNamespaceDescriptorsResponse.newBuilder()
                          .addAllNamespaceDescriptor(master.namespaces().all())
                          .build();
                    }))
        .on(
            "ListNamespaces",
            ListNamespacesRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      master.namespaces().checkReadable();
                      return ListNamespacesResponse.newBuilder()
                          .addAllNamespaceName(
                              master.namespaces().all().stream()
                                  .map(one -> one.getName().toStringUtf8())
                                  .toList())
                          .build();
                    }));
  }

  private static long submit(
      MasterGate gate,
      RpcCall call,
      ProcedureKind kind,
      NamespaceDescriptor descriptor,
      long nonceGroup,
      long nonce)
      throws IOException {
    return gate.submitToEnd(
        call,
        nonceGroup,
        nonce,
        master ->
            new NamespaceProcedure(
                master.environment(),
                kind,
                descriptor,
                name -> master.procedures().concernTablesOf(name)));
  }
}
