package dev.cairn.coprocessor.environment;

import dev.cairn.server.rpc.CallAnswer;
import dev.cairn.server.rpc.LocalCalls;
import dev.cairn.server.rpc.LocalCalls.Request;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.BlockingRpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcController;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/**
 * The channel from HBase's stubs to the server of this process, without the network. Cells travel
 * in the controller, as over the network, and keep their tags if those of the request have any.
 * Thread-safe.
 */
final class LocalChannel implements BlockingRpcChannel {
  private static final byte[] NO_CELLS = {};
  private static final Codec CODEC = new KeyValueCodecWithTags();

  private final LocalCalls calls;

  LocalChannel(LocalCalls calls) {
    this.calls = calls;
  }

  @Override
  public Message callBlockingMethod(
      MethodDescriptor method, RpcController controller, Message request, Message prototype)
      throws ServiceException {
    try {
      return call(
          method,
          controller instanceof HBaseRpcController given ? given : new HBaseRpcControllerImpl(),
          request,
          prototype);
    } catch (IOException e) {
      throw new ServiceException(e.getMessage(), e);
    }
  }

  private Message call(
      MethodDescriptor method, HBaseRpcController controller, Message request, Message prototype)
      throws IOException {
    int limit = controller.getCallTimeout();
    CallAnswer answer =
        calls.call(
            method.getService().getName(),
            method.getName(),
            request(request.toByteArray(), controller.cellScanner()),
            limit > 0 ? limit : Integer.MAX_VALUE);
    if (answer instanceof CallAnswer.Failure failure) {
      throw exception(failure.error());
    }
    CallAnswer.Response response = (CallAnswer.Response) answer;
    controller.setCellScanner(
        response.cells().length == 0
            ? null
            : CODEC.getDecoder(new ByteArrayInputStream(response.cells())));
    return prototype.getParserForType().parseFrom(response.message());
  }

  private static Request request(byte[] message, CellScanner cells) throws IOException {
    if (cells == null) {
      return new Request(message, NO_CELLS, false);
    }
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    Codec.Encoder encoder = CODEC.getEncoder(block);
    boolean tagged = false;
    while (cells.advance()) {
      Cell cell = cells.current();
      tagged |= PrivateCellUtil.tagsIterator(cell).hasNext();
      encoder.write(cell);
    }
    encoder.flush();
    return new Request(message, block.toByteArray(), tagged);
  }

  private static IOException exception(ExceptionResponse error) {
    return new RemoteWithExtrasException(
        error.getExceptionClassName(),
        error.getStackTrace(),
        error.getHostname(),
        error.getPort(),
        error.getDoNotRetry(),
        error.getServerOverloaded());
  }
}
