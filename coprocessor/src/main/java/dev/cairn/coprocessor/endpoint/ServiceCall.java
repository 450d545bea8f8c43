package dev.cairn.coprocessor.endpoint;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import dev.cairn.coprocessor.measure.HookCall;
import dev.cairn.coprocessor.measure.MeasuredRegionHost;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.server.rpc.service.CallMemory;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.ipc.ServerRpcController;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Calls a service of a coprocessor (an endpoint), with the hooks before and after. The service uses
 * the classes of protobuf 2.5, so requests and answers are passed as bytes. Used once, on a
 * handler.
 *
 * @param hooks those around the call
 * @param memory lends what the answer takes
 */
public record ServiceCall(Hooks hooks, Service service, CallMemory memory) {
  /** The hooks around a call. */
  public interface Hooks {
    /** A service without hooks. */
    Hooks NONE = new Hooks() {};

    /** Returns the request that the service gets. */
    default Message before(Service service, String method, Message request) throws IOException {
      return request;
    }

    /** Sees the answer, and may add to it. */
    default void after(Service service, String method, Message request, Message.Builder answer)
        throws IOException {}

    /** Runs the service, and measures it. */
    default Message.Builder measured(
        Service service, MethodDescriptor method, HookCall.Code<Message.Builder> code)
        throws IOException {
      return code.run();
    }
  }

  /** Calls a service of a region, with HBase's hooks around. */
  public static ServiceCall ofRegion(MeasuredRegionHost host, Service service, CallMemory memory) {
    return new ServiceCall(
        new Hooks() {
          @Override
          public Message before(Service of, String method, Message request) throws IOException {
            return host.preEndpointInvocation(of, method, request);
          }

          @Override
          public void after(Service of, String method, Message request, Message.Builder answer)
              throws IOException {
            host.postEndpointInvocation(of, method, request, answer);
          }

          @Override
          public Message.Builder measured(
              Service of, MethodDescriptor method, HookCall.Code<Message.Builder> code)
              throws IOException {
            try (HookCall call =
                host.meter()
                    .begin(method.getFullName(), host.meter().ofClass(of.getClass().getName()))) {
              return call.measured(code);
            }
          }
        },
        service,
        memory);
  }

  /**
   * Calls a method, and waits for its answer.
   *
   * @throws IOException what the service reports as its failure; anything unexpected is the cause
   *     of a {@link DoNotRetryIOException}
   * @throws MemoryShortageException if there is no memory for the answer
   */
  public NameBytesPair run(CoprocessorServiceCall call) throws IOException {
    MethodDescriptor method =
        CoprocessorRpcUtils.getMethodDescriptor(
            call.getMethodName(), service.getDescriptorForType());
    Message request = hooks.before(service, call.getMethodName(), request(method, call));
    ServerRpcController controller = new ServerRpcController();
    Message.Builder answer = answer(method, controller, request);
    hooks.after(service, call.getMethodName(), request, answer);
    IOException failure = CoprocessorRpcUtils.getControllerException(controller);
    if (failure != null) {
      throw failure;
    }
    return message(method, answer);
  }

  private Message request(MethodDescriptor method, CoprocessorServiceCall call) throws IOException {
    try {
      return CoprocessorRpcUtils.getRequest(service, method, call.getRequest());
    } catch (IOException | RuntimeException e) { // as often as it comes
      throw failure(method, "its request cannot be read", e);
    }
  }

  private Message.Builder answer(
      MethodDescriptor method, ServerRpcController controller, Message request) throws IOException {
    try {
      return hooks.measured(service, method, () -> called(method, controller, request));
    } catch (OutOfMemoryError | MemoryShortageException e) {
      throw e;
    } catch (Throwable e) { // whatever a user's code throws
      throw failure(method, e.toString(), e);
    }
  }

  private Message.Builder called(
      MethodDescriptor method, ServerRpcController controller, Message request) {
    Message.Builder answer = service.getResponsePrototype(method).newBuilderForType();
    service.callMethod(
        method,
        controller,
        request,
        message -> {
          if (message != null) {
            answer.mergeFrom(message);
          }
        });
    return answer;
  }

  private NameBytesPair message(MethodDescriptor method, Message.Builder answer)
      throws IOException {
    if (!answer.isInitialized()) {
      throw failure(
          method, "its answer lacks " + String.join(", ", answer.findInitializationErrors()), null);
    }
    Message built = answer.build();
    memory.borrowForMessage(built.getSerializedSize());
    return NameBytesPair.newBuilder()
        .setName(built.getDescriptorForType().getFullName())
        .setValue(UnsafeByteOperations.unsafeWrap(built.toByteArray()))
        .build();
  }

  private IOException failure(MethodDescriptor method, String reason, Throwable cause) {
    return new DoNotRetryIOException(
        "The service "
            + service.getDescriptorForType().getFullName()
            + " failed in "
            + method.getName()
            + ": "
            + reason,
        cause);
  }
}
