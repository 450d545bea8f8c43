package dev.cairn.server.master.service;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.ddl.NamespaceProcedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
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

  static void register(MethodGroup rpc) {
    rpc.namespace(
            "CreateNamespace",
            CreateNamespaceRequest.getDefaultInstance(),
            r -> name(r.getNamespaceDescriptor()))
        .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce()))
        .submitToEnd(
            (master, user, r) ->
                procedure(master, ProcedureKind.CREATE_NAMESPACE, r.getNamespaceDescriptor()),
            id -> CreateNamespaceResponse.newBuilder().setProcId(id).build());
    rpc.namespace(
            "ModifyNamespace",
            ModifyNamespaceRequest.getDefaultInstance(),
            r -> name(r.getNamespaceDescriptor()))
        .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce()))
        .submitToEnd(
            (master, user, r) ->
                procedure(master, ProcedureKind.MODIFY_NAMESPACE, r.getNamespaceDescriptor()),
            id -> ModifyNamespaceResponse.newBuilder().setProcId(id).build());
    rpc.namespace(
            "DeleteNamespace",
            DeleteNamespaceRequest.getDefaultInstance(),
            r -> r.getNamespaceName())
        .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce()))
        .submitToEnd(
            (master, user, r) ->
                procedure(master, ProcedureKind.DELETE_NAMESPACE, named(r.getNamespaceName())),
            id -> DeleteNamespaceResponse.newBuilder().setProcId(id).build());
    rpc.namespace(
            "GetNamespaceDescriptor",
            GetNamespaceDescriptorRequest.getDefaultInstance(),
            r -> r.getNamespaceName())
        .ask(
            (master, r) ->
                GetNamespaceDescriptorResponse.newBuilder()
                    .setNamespaceDescriptor(master.namespaces().require(r.getNamespaceName()))
                    .build());
    rpc.cluster("ListNamespaceDescriptors", ListNamespaceDescriptorsRequest.getDefaultInstance())
        .ask(
            (master, r) -> {
              master.namespaces().checkReadable();
              return ListNamespaceDescriptorsResponse.newBuilder()
                  .addAllNamespaceDescriptor(master.namespaces().all())
                  .build();
            });
    rpc.cluster("ListNamespaces", ListNamespacesRequest.getDefaultInstance())
        .ask(
            (master, r) -> {
              master.namespaces().checkReadable();
              return ListNamespacesResponse.newBuilder()
                  .addAllNamespaceName(
                      master.namespaces().all().stream().map(NamespaceMethods::name).toList())
                  .build();
            });
  }

  private static String name(NamespaceDescriptor namespace) {
    return namespace.getName().toStringUtf8();
  }

  private static NamespaceDescriptor named(String name) {
    return NamespaceDescriptor.newBuilder().setName(Messages.wrap(Bytes.utf8(name))).build();
  }

  private static NamespaceProcedure procedure(
      ActiveMaster master, ProcedureKind kind, NamespaceDescriptor namespace) {
    return new NamespaceProcedure(
        master.procedureContext(),
        kind,
        namespace,
        name -> master.procedures().concernTablesOf(name));
  }
}
