package dev.cairn.coprocessor.master;

import dev.cairn.server.master.hook.MasterHooks.Body;
import dev.cairn.server.master.hook.MasterView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.master.MasterCoprocessorHost;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetNamespaceDescriptorRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetNamespaceDescriptorResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListNamespaceDescriptorsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListNamespaceDescriptorsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListNamespacesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListNamespacesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyNamespaceResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The hooks around the methods about namespaces. Changes by hooks in descriptors and lists are in
 * force.
 */
record NamespaceCalls(MasterCoprocessorHost host, MasterView view) {
  void register(MasterCalls calls) {
    calls.<CreateNamespaceRequest, Message>on(
        "CreateNamespace",
        CreateNamespaceRequest.class,
        (r, body) -> {
          NamespaceDescriptor namespace =
              ProtobufUtil.toNamespaceDescriptor(r.getNamespaceDescriptor());
          host.preCreateNamespace(namespace);
          Message response =
              body.run(
                  r.toBuilder()
                      .setNamespaceDescriptor(ProtobufUtil.toProtoNamespaceDescriptor(namespace))
                      .build());
          host.postCreateNamespace(namespace);
          return response;
        },
        "preCreateNamespace",
        "postCreateNamespace");
    calls.on(
        "ModifyNamespace",
        ModifyNamespaceRequest.class,
        this::modify,
        "preModifyNamespace",
        "postModifyNamespace",
        "preGetNamespaceDescriptor",
        "postGetNamespaceDescriptor");
    calls.on(
        "DeleteNamespace",
        DeleteNamespaceRequest.class,
        "preDeleteNamespace",
        r -> host.preDeleteNamespace(r.getNamespaceName()),
        "postDeleteNamespace",
        r -> host.postDeleteNamespace(r.getNamespaceName()));
    calls.<GetNamespaceDescriptorRequest, GetNamespaceDescriptorResponse>on(
        "GetNamespaceDescriptor",
        GetNamespaceDescriptorRequest.class,
        (r, body) -> {
          host.preGetNamespaceDescriptor(r.getNamespaceName());
          NamespaceDescriptor found =
              ProtobufUtil.toNamespaceDescriptor(body.run(r).getNamespaceDescriptor());
          host.postGetNamespaceDescriptor(found);
          return GetNamespaceDescriptorResponse.newBuilder()
              .setNamespaceDescriptor(ProtobufUtil.toProtoNamespaceDescriptor(found))
              .build();
        },
        "preGetNamespaceDescriptor",
        "postGetNamespaceDescriptor");
    calls.<ListNamespacesRequest, ListNamespacesResponse>on(
        "ListNamespaces",
        ListNamespacesRequest.class,
        (r, body) -> {
          List<String> names = new ArrayList<>();
          host.preListNamespaces(names);
          names.addAll(body.run(r).getNamespaceNameList());
          host.postListNamespaces(names);
          return ListNamespacesResponse.newBuilder().addAllNamespaceName(names).build();
        },
        "preListNamespaces",
        "postListNamespaces");
    calls.on(
        "ListNamespaceDescriptors",
        ListNamespaceDescriptorsRequest.class,
        this::list,
        "preListNamespaceDescriptors",
        "postListNamespaceDescriptors");
  }

  /** As in HBase, hooks also see that the present descriptor is read. */
  private ModifyNamespaceResponse modify(
      ModifyNamespaceRequest request, Body<ModifyNamespaceRequest, ModifyNamespaceResponse> body)
      throws IOException {
    NamespaceDescriptor wanted =
        ProtobufUtil.toNamespaceDescriptor(request.getNamespaceDescriptor());
    host.preGetNamespaceDescriptor(wanted.getName());
    Optional<HBaseProtos.NamespaceDescriptor> present = view.namespace(wanted.getName());
    if (present.isEmpty()) {
      return body.run(request);
    }
    NamespaceDescriptor before = ProtobufUtil.toNamespaceDescriptor(present.get());
    host.postGetNamespaceDescriptor(before);
    host.preModifyNamespace(before, wanted);
    ModifyNamespaceResponse response =
        body.run(
            request.toBuilder()
                .setNamespaceDescriptor(ProtobufUtil.toProtoNamespaceDescriptor(wanted))
                .build());
    host.postModifyNamespace(before, wanted);
    return response;
  }

  private ListNamespaceDescriptorsResponse list(
      ListNamespaceDescriptorsRequest request,
      Body<ListNamespaceDescriptorsRequest, ListNamespaceDescriptorsResponse> body)
      throws IOException {
    List<NamespaceDescriptor> namespaces = new ArrayList<>();
    host.preListNamespaceDescriptors(namespaces);
    for (HBaseProtos.NamespaceDescriptor one : body.run(request).getNamespaceDescriptorList()) {
      namespaces.add(ProtobufUtil.toNamespaceDescriptor(one));
    }
    host.postListNamespaceDescriptors(namespaces);
    return ListNamespaceDescriptorsResponse.newBuilder()
        .addAllNamespaceDescriptor(
            namespaces.stream().map(ProtobufUtil::toProtoNamespaceDescriptor).toList())
        .build();
  }
}
