package dev.cairn.server.master.service;

import dev.cairn.server.catalog.GroupMessages;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcMethod.BlockingHandler;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The services that HBase's coprocessors of the master add to {@code MasterService}. There is one:
 * {@code RSGroupAdminService}, if the site turns groups of region servers on.
 */
final class GroupMethods {
  /** The methods of the service; the name of a request is that of its method and "Request". */
  private static final Map<String, Method> METHODS =
      Map.ofEntries(
          Map.entry(
              "GetRSGroupInfo",
              (master, r, answer) -> answer.group(master.groups().find(r.text("r_s_group_name")))),
          Map.entry(
              "GetRSGroupInfoOfTable",
              (master, r, answer) -> answer.group(master.groups().of(r.table("table_name")))),
          Map.entry(
              "GetRSGroupInfoOfServer",
              (master, r, answer) -> answer.group(master.groups().of(r.server("server")))),
          Map.entry("ListRSGroupInfos", GroupMethods::list),
          Map.entry(
              "AddRSGroup",
              (master, r, answer) ->
                  master.groups().add(r.text("r_s_group_name"), answer.completion())),
          Map.entry(
              "RemoveRSGroup",
              (master, r, answer) ->
                  master.groups().remove(r.text("r_s_group_name"), answer.completion())),
          Map.entry(
              "RenameRSGroup",
              (master, r, answer) ->
                  master
                      .groups()
                      .rename(
                          r.text("old_rsgroup_name"),
                          r.text("new_rsgroup_name"),
                          answer.completion())),
          Map.entry(
              "UpdateRSGroupConfig",
              (master, r, answer) ->
                  master
                      .groups()
                      .configure(
                          r.text("group_name"), r.pairs("configuration"), answer.completion())),
          Map.entry(
              "MoveServers",
              (master, r, answer) ->
                  master
                      .groups()
                      .moveServers(
                          r.servers("servers"), r.text("target_group"), answer.completion())),
          Map.entry(
              "MoveTables",
              (master, r, answer) ->
                  master
                      .groups()
                      .moveTables(
                          r.tables("table_name"), r.text("target_group"), answer.completion())),
          Map.entry(
              "MoveServersAndTables",
              (master, r, answer) ->
                  master
                      .groups()
                      .moveServersAndTables(
                          r.servers("servers"),
                          r.tables("table_name"),
                          r.text("target_group"),
                          answer.completion())),
          Map.entry(
              "RemoveServers",
              (master, r, answer) ->
                  master.groups().removeServers(r.servers("servers"), answer.completion())),
          Map.entry("BalanceRSGroup", GroupMethods::balance));

  private GroupMethods() {}

  /** A method of the service. Called by the loop's owner. */
  @FunctionalInterface
  private interface Method {
    void begin(ActiveMaster master, GroupMessages.Reader request, Answer answer) throws IOException;
  }

  /** Receives the response of a method. */
  private record Answer(String method, CompletableFuture<CoprocessorServiceResponse> future) {
    GroupMessages.Builder builder() {
      return GroupMessages.builder(method + "Response");
    }

    void complete(GroupMessages.Builder builder) {
      Message response = builder.build();
      future.complete(
          response(
              NameBytesPair.newBuilder()
                  .setName(GroupMessages.className(response))
                  .setValue(response.toByteString())
                  .build()));
    }

    void group(Optional<ServerGroup> group) {
      GroupMessages.Builder response = builder();
      group.ifPresent(found -> response.set("r_s_group_info", found.message()));
      complete(response);
    }

    /** Returns what completes a response without content. */
    Completion completion() {
      return Completion.of(() -> complete(builder()), future::completeExceptionally);
    }
  }

  static void register(MethodGroup rpc) {
    MasterGate gate = rpc.gate();
    rpc.cluster("ExecMasterService", CoprocessorServiceRequest.getDefaultInstance())
        .handle(
            (call, r) -> {
              String service = r.getCall().getServiceName();
              Optional<NameBytesPair> answer =
                  gate.master().hooks().serve(r.getCall(), call.memory());
              if (answer.isPresent()) {
                return response(answer.get());
              }
              boolean isOn = gate.master().context().groups().enabled();
              if (!isOn || !service.equals(GroupMessages.SERVICE)) {
                throw unknownService(service);
              }
              String name = r.getCall().getMethodName();
              Method method = METHODS.get(name);
              if (method == null) {
                throw new UnknownProtocolException(
                    "Unknown method " + name + " called on master service " + service);
              }
              BlockingHandler<CoprocessorServiceRequest, CoprocessorServiceResponse> handler =
                  (asked, given) -> answer(gate, asked, name, method, given);
              return HookedMethod.of(gate, service + "." + name, any -> Optional.empty(), handler)
                  .handle(call, r);
            });
  }

  private static CoprocessorServiceResponse answer(
      MasterGate gate, RpcCall call, String name, Method method, CoprocessorServiceRequest r)
      throws IOException {
    GroupMessages.Reader request = GroupMessages.parse(name + "Request", r.getCall().getRequest());
    return gate.request(
        call, (master, future) -> method.begin(master, request, new Answer(name, future)));
  }

  private static CoprocessorServiceResponse response(NameBytesPair value) {
    return CoprocessorServiceResponse.newBuilder()
        .setRegion(
            RegionSpecifier.newBuilder()
                .setType(RegionSpecifierType.REGION_NAME)
                .setValue(ByteString.EMPTY))
        .setValue(value)
        .build();
  }

  private static UnknownProtocolException unknownService(String service) {
    return new UnknownProtocolException(
        "No registered Master Coprocessor Endpoint found for "
            + service
            + (service.equals(GroupMessages.SERVICE)
                ? ". Groups of region servers are off (hbase.coprocessor.master.classes)"
                : ". No coprocessor of hbase.coprocessor.master.classes has it"));
  }

  private static void list(ActiveMaster master, GroupMessages.Reader request, Answer answer)
      throws IOException {
    GroupMessages.Builder response = answer.builder();
    for (ServerGroup group : master.groups().all()) {
      response.add("r_s_group_info", group.message());
    }
    answer.complete(response);
  }

  /**
   * Moves the regions of a group's tables that are at servers of other groups; if there are none,
   * balances the regions of the group.
   */
  private static void balance(ActiveMaster master, GroupMessages.Reader r, Answer answer)
      throws IOException {
    Predicate<RegionStateNode> regions = master.groups().regionsOf(r.text("r_s_group_name"));
    int misplaced = master.groups().countMisplaced(regions);
    boolean isBusy =
        !r.flag("ignore_rit")
            && master.assignments().all().stream()
                .filter(regions)
                .anyMatch(RegionStateNode::isInTransition);
    if (misplaced > 0 && !isBusy && master.switches().isOn(Switch.BALANCER)) {
      if (!r.flag("dry_run")) {
        master.groups().moveMisplaced(regions);
      }
      complete(answer, true, misplaced, r.flag("dry_run") ? 0 : misplaced);
      return;
    }
    BalanceRequest request =
        BalanceRequest.newBuilder()
            .setIgnoreRit(r.flag("ignore_rit"))
            .setDryRun(r.flag("dry_run"))
            .build();
    BalanceResponse done = master.balancer().run(request, regions).response();
    complete(answer, done.getBalancerRan(), done.getMovesCalculated(), done.getMovesExecuted());
  }

  private static void complete(Answer answer, boolean ran, int calculated, int executed) {
    answer.complete(
        answer
            .builder()
            .set("balanceRan", ran)
            .set("moves_calculated", calculated)
            .set("moves_executed", executed));
  }
}
