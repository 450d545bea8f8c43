package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.NormalizeRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.NormalizeResponse;

/** The method of {@code MasterService} that runs the region normalizer. */
final class NormalizeMethods {
  private NormalizeMethods() {}

  static void register(MethodGroup rpc) {
    MasterGate gate = rpc.gate();
    EvaluationGuard evaluations = new EvaluationGuard(gate.master().context().clock());
    rpc.about(
            "Normalize",
            NormalizeRequest.getDefaultInstance(),
            (call, r) -> CallSubject.tables(r.getTableNamesList()))
        .handle(
            (call, r) -> {
              List<TableName> wanted = tables(gate, evaluations, call, r);
              return NormalizeResponse.newBuilder()
                  .setNormalizerRan(gate.ask(call, master -> master.normalizer().normalize(wanted)))
                  .build();
            });
  }

  /** Returns the tables that the request names and that its pattern and namespace select. */
  private static List<TableName> tables(
      MasterGate gate, EvaluationGuard evaluations, RpcCall call, NormalizeRequest request)
      throws IOException {
    List<TableName> named = new ArrayList<>();
    for (HBaseProtos.TableName name : request.getTableNamesList()) {
      named.add(TableDescriptorChecker.name(name));
    }
    List<TableName> all = gate.ask(call, master -> List.copyOf(master.tables().states().keySet()));
    return new TableSelection(
            evaluations,
            request.hasRegex() ? Optional.of(request.getRegex()) : Optional.empty(),
            request.hasNamespace() ? Optional.of(request.getNamespace()) : Optional.empty(),
            false)
        .of(call, all, name -> name).stream()
            .filter(name -> named.isEmpty() || named.contains(name))
            .toList();
  }
}
