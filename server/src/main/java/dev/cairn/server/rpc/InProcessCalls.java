package dev.cairn.server.rpc;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.time.Clock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Serves the services of a port to callers in the same process. Messages and errors take the form
 * that they have on the wire; the calling thread runs the method. There are no queues and no
 * limits. A simulated network is built on it. As safe for threads as the random source.
 *
 * <p>A random source decides what depends on the client and on the load of a real server. A method
 * that network threads answer first runs with the budget of a network thread, which is random and
 * may be empty, and continues with that of a handler. The cells of some scans travel beside the
 * message; {@link Answer#as} puts them into it. All other cells travel inside the messages.
 */
public final class InProcessCalls {
  private static final int INLINE_BYTES_MAX = 4096;

  private final RpcServices services;
  private final Clock clock;
  private final RandomGenerator random;

  /**
   * Creates calls of {@code services}, whose server has {@code clock}.
   *
   * @param random draws budgets and the place of cells
   */
  public InProcessCalls(List<RpcService> services, Clock clock, RandomGenerator random) {
    this.services = new RpcServices(services);
    this.clock = clock;
    this.random = random;
  }

  /** The answer to a call, as it travels. */
  public sealed interface Answer {
    /**
     * Returns the response.
     *
     * @throws IOException that the method answered with, as {@link RpcClient#call} throws it
     */
    <R extends Message> R as(R prototype) throws IOException;
  }

  private record Response(byte[] message, CellBuffer cells) implements Answer {
    @Override
    @SuppressWarnings("unchecked") // a message parses its own kind
    public <R extends Message> R as(R prototype) throws IOException {
      Message parsed = prototype.getParserForType().parseFrom(message);
      return (R)
          (parsed instanceof ScanResponse scan && scan.getCellsPerResultCount() > 0
              ? withCells(scan)
              : parsed);
    }

    private ScanResponse withCells(ScanResponse scan) {
      ScanResponse.Builder all = scan.toBuilder().clearCellsPerResult().clearPartialFlagPerResult();
      int at = 0;
      for (int i = 0; i < scan.getCellsPerResultCount(); i++) {
        Result.Builder result = Result.newBuilder();
        for (int end = at + scan.getCellsPerResult(i); at < end; at++) {
          result.addCell(message(cells.get(at)));
        }
        boolean partial =
            i < scan.getPartialFlagPerResultCount() && scan.getPartialFlagPerResult(i);
        all.addResults(partial ? result.setPartial(true) : result);
      }
      return all.build();
    }

    private static CellProtos.Cell message(Cell cell) {
      return CellProtos.Cell.newBuilder()
          .setRow(ByteString.copyFrom(cell.row()))
          .setFamily(ByteString.copyFrom(cell.family()))
          .setQualifier(ByteString.copyFrom(cell.qualifier()))
          .setTimestamp(cell.timestamp())
          .setCellType(CellProtos.CellType.forNumber(cell.typeCode()))
          .setValue(ByteString.copyFrom(cell.value()))
          .build();
    }
  }

  private record Failure(ExceptionResponse error) implements Answer {
    @Override
    public <R extends Message> R as(R prototype) throws IOException {
      throw RpcErrors.decode(error);
    }
  }

  /**
   * Calls a method and waits for its answer, through the server's clock.
   *
   * @param request the encoded request
   * @param user the caller's name
   * @param patienceNanos how long the caller waits
   */
  public Answer call(
      String service, String method, byte[] request, String user, long patienceNanos) {
    try {
      RpcService found =
          services.find(service).orElseThrow(() -> new UnknownServiceException(service));
      RpcMethod<?, ?> known = found.method(method).orElseThrow(() -> found.unknown(method));
      long now = clock.nanoTime();
      long deadline = patienceNanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + patienceNanos;
      boolean beside = method.equals("Scan") && random.nextBoolean();
      return run(known, request, new Call(user, now, deadline, beside));
    } catch (IOException | RuntimeException | StackOverflowError e) {
      return new Failure(RpcErrors.encode(RpcErrors.forCaller(cause(e))));
    }
  }

  private <Q, R> Answer run(RpcMethod<Q, R> method, byte[] request, Call call) throws IOException {
    CallOutcome<R> outcome = CallOutcome.declined();
    if (method.policy().inline().isPresent()) {
      call.budget = inlineBudget();
      outcome = method.handler().handle(call, method.parser().parse(request));
      call.budget = CallBudget.HANDLER;
    }
    R response;
    if (outcome instanceof CallOutcome.Unfinished<R> begun && begun.continuation().isPresent()) {
      outcome = new CallOutcome.Answered<>(begun.continuation().get().finish());
    } else if (!(outcome instanceof CallOutcome.Answered<R>)
        && !(outcome instanceof CallOutcome.Deferred<R>)) {
      call.cells = NO_CELLS;
      outcome = method.handler().handle(call, method.parser().parse(request));
    }
    if (outcome instanceof CallOutcome.Answered<R> answered) {
      response = answered.response();
    } else if (outcome instanceof CallOutcome.Deferred<R> deferred) {
      response = clock.join(deferred.response().toCompletableFuture());
    } else {
      throw new IllegalStateException("A handler left " + outcome);
    }
    method.check().check();
    ResponseBody body = method.body().apply(response);
    ByteBuf out = Unpooled.buffer(body.size());
    body.write(out);
    return new Response(ByteBufUtil.getBytes(out), call.cells);
  }

  /** Draws the budget of a network thread: nothing, some bytes, or many. */
  private CallBudget inlineBudget() {
    return switch (random.nextInt(3)) {
      case 0 -> new CallBudget(false, 0, 0);
      case 1 -> new CallBudget(false, random.nextInt(INLINE_BYTES_MAX), Long.MAX_VALUE / 2);
      default -> new CallBudget(false, INLINE_BYTES_MAX << 6, Long.MAX_VALUE / 2);
    };
  }

  private static Throwable cause(Throwable error) {
    return error instanceof CompletionException wrapped && wrapped.getCause() != null
        ? wrapped.getCause()
        : error;
  }

  private static final CellBuffer NO_CELLS = new CellBuffer(0, 0);

  /** A call without a connection. */
  private static final class Call implements RpcCall {
    private static final ClientVersion VERSION = new ClientVersion(2, 6);

    private final String user;
    private final long receivedNanos;
    private final long deadlineNanos;
    private final boolean beside;
    private CallBudget budget = CallBudget.HANDLER;
    private CellBuffer cells = NO_CELLS;

    Call(String user, long receivedNanos, long deadlineNanos, boolean beside) {
      this.user = user;
      this.receivedNanos = receivedNanos;
      this.deadlineNanos = deadlineNanos;
      this.beside = beside;
    }

    @Override
    public String user() {
      return user;
    }

    @Override
    public long receivedNanos() {
      return receivedNanos;
    }

    @Override
    public long deadlineNanos() {
      return deadlineNanos;
    }

    @Override
    public InetSocketAddress remoteAddress() {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    public CallBudget budget() {
      return budget;
    }

    @Override
    public boolean isAbandoned() {
      return false;
    }

    @Override
    public CellBuffer requestCells() {
      return new CellBuffer(0, 0);
    }

    @Override
    public boolean acceptsCellBlock() {
      return beside;
    }

    @Override
    public boolean acceptsTags() {
      return false;
    }

    @Override
    public ClientVersion clientVersion() {
      return VERSION;
    }

    @Override
    public CellBuffer responseBuffer(int bytes) {
      return new CellBuffer();
    }

    @Override
    public CallMemory memory() {
      return Memory.UNLIMITED;
    }

    @Override
    public int responseCellBytes() {
      return cells.byteSize();
    }

    @Override
    public void setResponseCells(CellBuffer answered) {
      if (!beside) {
        throw new IllegalStateException("The caller does not read cells beside the message");
      }
      cells = answered;
    }
  }

  private enum Memory implements CallMemory {
    UNLIMITED;

    @Override
    public void borrowForMessage(long bytes) {}

    @Override
    public void prepare(long cellBytes) {}

    @Override
    public long borrowForCells(long wantedBytes) {
      return wantedBytes;
    }

    @Override
    public void await(MemoryShortageException shortage) throws IOException {
      throw RpcErrors.forCaller(shortage);
    }
  }
}
