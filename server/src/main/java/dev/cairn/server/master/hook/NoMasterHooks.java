package dev.cairn.server.master.hook;

import dev.cairn.server.rpc.service.CallMemory;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** A master without coprocessors; its methods do what a call without hooks does. */
public class NoMasterHooks implements MasterHooks {
  @Override
  public void beforeInitialization() {}

  @Override
  public void afterInitialization() {}

  @Override
  public boolean concerns(String method) {
    return false;
  }

  @Override
  public <Q extends Message, R extends Message> R around(String method, Q request, Body<Q, R> body)
      throws IOException {
    return body.run(request);
  }

  @Override
  public Balanced balance(BalanceRequest request, Body<BalanceRequest, Balanced> body)
      throws IOException {
    return body.run(request);
  }

  @Override
  public Optional<StepHook> at(String procedure, Moment moment, String step) {
    return Optional.empty();
  }

  @Override
  public Optional<NameBytesPair> serve(CoprocessorServiceCall call, CallMemory memory) {
    return Optional.empty();
  }

  @Override
  public List<String> names() {
    return List.of();
  }

  @Override
  public void close() {}
}
