package dev.cairn.coprocessor.endpoint;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.ipc.ServerRpcController;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Calls a service of a region (an endpoint), with the hooks before and after. The service uses the
 * classes of protobuf 2.5, so requests and answers are passed as bytes. Used once, on a handler.
 *
 * @param host calls the hooks
 */
public record ServiceCall(RegionCoprocessorHost host, Service service) {
  /**
   * Calls a method, and waits for its answer.
   *
   * @throws IOException the failure that the service reports; an unexpected exception is the cause
   *     of a {@link DoNotRetryIOException}
   */
  public NameBytesPair run(CoprocessorServiceCall call) throws IOException {
    MethodDescriptor method =
        CoprocessorRpcUtils.getMethodDescriptor(
            call.getMethodName(), service.getDescriptorForType());
    Message request =
        host.preEndpointInvocation(
            service,
            call.getMethodName(),
            CoprocessorRpcUtils.getRequest(service, method, call.getRequest()));
    Message.Builder answer = service.getResponsePrototype(method).newBuilderForType();
    ServerRpcController controller = new ServerRpcController();
    try {
      service.callMethod(
          method,
          controller,
          request,
          message -> {
            if (message != null) {
              answer.mergeFrom(message);
            }
          });
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      throw new DoNotRetryIOException(
          "The service "
              + service.getDescriptorForType().getFullName()
              + " failed in "
              + call.getMethodName()
              + ": "
              + e,
          e);
    }
    host.postEndpointInvocation(service, call.getMethodName(), request, answer);
    IOException failure = CoprocessorRpcUtils.getControllerException(controller);
    if (failure != null) {
      throw failure;
    }
    Message built = answer.build();
    return NameBytesPair.newBuilder()
        .setName(built.getDescriptorForType().getFullName())
        .setValue(ByteString.copyFrom(built.toByteArray()))
        .build();
  }
}
