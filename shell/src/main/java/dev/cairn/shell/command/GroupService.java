package dev.cairn.shell.command;

import com.google.protobuf.BlockingRpcChannel;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.ServiceException;
import dev.cairn.server.catalog.Address;
import dev.cairn.server.catalog.GroupMessages;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.EmptyMsg;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * Calls the master's service for groups of region servers. HBase's client reaches such services
 * through the messages of another version of protobuf; here, each message of the service travels as
 * an empty message of that version whose unknown fields are the content.
 */
final class GroupService {
  private final Session session;

  GroupService(Session session) {
    this.session = session;
  }

  /** Returns all groups. */
  List<ServerGroup> all() throws IOException {
    return call("ListRSGroupInfos", request("ListRSGroupInfos")).groups("r_s_group_info");
  }

  /** Returns a group; fails if there is none of this name. */
  ServerGroup require(String name) throws IOException {
    return group("GetRSGroupInfo", request("GetRSGroupInfo").set("r_s_group_name", name))
        .orElseThrow(() -> new ShellException("Group does not exist: " + name));
  }

  /** Returns the group of a server, if it is in one. */
  Optional<ServerGroup> of(Address server) throws IOException {
    return group(
        "GetRSGroupInfoOfServer",
        request("GetRSGroupInfoOfServer").set("server", server.message()));
  }

  /** Returns the group of a table, if it is in one. */
  Optional<ServerGroup> of(TableName table) throws IOException {
    return group(
        "GetRSGroupInfoOfTable",
        request("GetRSGroupInfoOfTable").set("table_name", ProtobufUtil.toProtoTableName(table)));
  }

  /** Calls a method whose only argument is the name of a group. */
  void change(String method, String group) throws IOException {
    call(method, request(method).set("r_s_group_name", group));
  }

  /** Gives a group another name. */
  void rename(String old, String name) throws IOException {
    call(
        "RenameRSGroup",
        request("RenameRSGroup").set("old_rsgroup_name", old).set("new_rsgroup_name", name));
  }

  /** Replaces the settings of a group. */
  void configure(String group, Map<String, String> settings) throws IOException {
    GroupMessages.Builder request = request("UpdateRSGroupConfig").set("group_name", group);
    settings.forEach(
        (key, value) ->
            request.add(
                "configuration",
                HBaseProtos.NameStringPair.newBuilder().setName(key).setValue(value).build()));
    call("UpdateRSGroupConfig", request);
  }

  /** Moves servers to a group. */
  void moveServers(String target, Collection<Address> servers) throws IOException {
    GroupMessages.Builder request = request("MoveServers").set("target_group", target);
    servers.forEach(server -> request.add("servers", server.message()));
    call("MoveServers", request);
  }

  /** Moves tables to a group. */
  void moveTables(String target, Collection<TableName> tables) throws IOException {
    GroupMessages.Builder request = request("MoveTables").set("target_group", target);
    tables.forEach(table -> request.add("table_name", ProtobufUtil.toProtoTableName(table)));
    call("MoveTables", request);
  }

  /** Moves servers and tables to a group. */
  void move(String target, Collection<Address> servers, Collection<TableName> tables)
      throws IOException {
    GroupMessages.Builder request = request("MoveServersAndTables").set("target_group", target);
    servers.forEach(server -> request.add("servers", server.message()));
    tables.forEach(table -> request.add("table_name", ProtobufUtil.toProtoTableName(table)));
    call("MoveServersAndTables", request);
  }

  /** Removes servers from their groups. */
  void removeServers(Collection<Address> servers) throws IOException {
    GroupMessages.Builder request = request("RemoveServers");
    servers.forEach(server -> request.add("servers", server.message()));
    call("RemoveServers", request);
  }

  /** Balances a group. */
  GroupMessages.Reader balance(String group, boolean ignoreRit, boolean dryRun) throws IOException {
    return call(
        "BalanceRSGroup",
        request("BalanceRSGroup")
            .set("r_s_group_name", group)
            .set("ignore_rit", ignoreRit)
            .set("dry_run", dryRun));
  }

  private static GroupMessages.Builder request(String method) {
    return GroupMessages.builder(method + "Request");
  }

  private Optional<ServerGroup> group(String method, GroupMessages.Builder request)
      throws IOException {
    GroupMessages.Reader response = call(method, request);
    return response.has("r_s_group_info")
        ? Optional.of(response.group("r_s_group_info"))
        : Optional.empty();
  }

  private GroupMessages.Reader call(String method, GroupMessages.Builder request)
      throws IOException {
    BlockingRpcChannel channel = session.admin().coprocessorService();
    try {
      Message response =
          channel.callBlockingMethod(
              method(method),
              null,
              EmptyMsg.parseFrom(request.build().toByteArray()),
              EmptyMsg.getDefaultInstance());
      return GroupMessages.parse(
          method + "Response",
          org.apache.hbase.thirdparty.com.google.protobuf.ByteString.copyFrom(
              response.toByteArray()));
    } catch (ServiceException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
    }
  }

  private static MethodDescriptor method(String name) {
    String empty = "." + EmptyMsg.getDescriptor().getFullName();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("groups.proto")
            .setPackage("hbase.pb")
            .addDependency(EmptyMsg.getDescriptor().getFile().getName())
            .addService(
                ServiceDescriptorProto.newBuilder()
                    .setName(GroupMessages.SERVICE)
                    .addMethod(
                        MethodDescriptorProto.newBuilder()
                            .setName(name)
                            .setInputType(empty)
                            .setOutputType(empty)))
            .build();
    try {
      return FileDescriptor.buildFrom(
              file, new FileDescriptor[] {EmptyMsg.getDescriptor().getFile()})
          .getServices()
          .get(0)
          .getMethods()
          .get(0);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException("The service of groups is described wrongly", e);
    }
  }
}
