package dev.cairn.server.rpc;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.rpc.client.RpcClient;
import dev.cairn.server.rpc.service.CallBudget;
import dev.cairn.server.rpc.service.ClientVersion;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.service.RpcServices;
import dev.cairn.server.rpc.wire.CellBlockCodec;
import dev.cairn.server.rpc.wire.RpcErrors;
import dev.cairn.server.rpc.wire.UnknownServiceException;
import dev.cairn.server.slowlog.SlowLog;
import dev.cairn.server.tracing.CallTrace;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Serves the services of a port to callers in the same process, by the same {@link ServerCall}s as
 * a port of the network, over a connection in memory. The calling thread does the work of the
 * network thread and of the handler. There are no queues and no limits. A simulated network is
 * built on it. As safe for threads as the random source.
 *
 * <p>A random source decides what depends on the client and on the load of a real server. A method
 * that network threads answer first runs with the budget of a network thread, which is random and
 * may be empty, and continues with that of a handler. The cells of some scans travel beside the
 * message; {@link Answer#as} puts them into it. All other cells travel inside the messages.
 */
public final class InProcessCalls {
  private static final int INLINE_BYTES_MAX = 4096;

  private static final long KEPT_BUFFER_BYTES_MAX = 1 << 20;

  private final RpcServices services;
  private final Clock clock;
  private final RandomGenerator random;
  private final RpcMetrics metrics = new RpcMetrics();
  private final SlowLog slowLog = SlowLog.off();
  private final MemoryAccount memory = MemoryAccount.unlimited();
  private final ResponseBuffers responseBuffers = new ResponseBuffers(KEPT_BUFFER_BYTES_MAX);

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
   * Calls a method and waits for its answer, through the server's clock. Returns empty if the
   * server does not answer, because nobody waits any more.
   *
   * @param request the encoded request
   * @param user the caller's name
   * @param patienceNanos how long the caller waits
   */
  public Optional<Answer> call(
      String service, String method, byte[] request, String user, long patienceNanos) {
    RpcService found;
    RpcMethod<?, ?> known;
    try {
      found = services.find(service).orElseThrow(() -> new UnknownServiceException(service));
      known = found.method(method).orElseThrow(() -> found.unknown(method));
    } catch (IOException e) {
      return Optional.of(new Failure(RpcErrors.encode(e)));
    }
    boolean beside = method.equals("Scan") && random.nextBoolean();
    CellBlockCodec codec = beside ? CellBlockCodec.KEY_VALUE : CellBlockCodec.NONE;
    ConnectionInfo info = new ConnectionInfo(found, user, codec, new ClientVersion(2, 6));
    Connection connection = new Connection();
    ByteBuf frame = MemoryConnection.frame(request, new byte[0]);
    connection.run(info, known, frame, deadline(patienceNanos));
    return clock.join(connection.response()).map(response -> decode(response, codec));
  }

  private long deadline(long patienceNanos) {
    long now = clock.nanoTime();
    return patienceNanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + patienceNanos;
  }

  private static Answer decode(ByteBuf frame, CellBlockCodec codec) {
    CallAnswer answer = CallAnswer.decode(frame);
    if (answer instanceof CallAnswer.Failure failure) {
      return new Failure(failure.error());
    }
    CallAnswer.Response response = (CallAnswer.Response) answer;
    int cells = response.cells().length;
    return new Response(
        response.message(),
        cells == 0
            ? new CellBuffer(0, 0)
            : codec.read(Unpooled.wrappedBuffer(response.cells()), cells));
  }

  /** Draws the budget of a network thread: nothing, some bytes, or many. */
  private CallBudget inlineBudget() {
    return switch (random.nextInt(3)) {
      case 0 -> new CallBudget(false, 0, 0);
      case 1 -> new CallBudget(false, random.nextInt(INLINE_BYTES_MAX), Long.MAX_VALUE / 2);
      default -> new CallBudget(false, INLINE_BYTES_MAX << 6, Long.MAX_VALUE / 2);
    };
  }

  /** A connection for one call. The calling thread is its network thread. */
  private final class Connection extends MemoryConnection {
    private final Set<Runnable> afterReading = new LinkedHashSet<>();
    private final ByteBuf answeredInline = Unpooled.buffer();

    void run(ConnectionInfo info, RpcMethod<?, ?> method, ByteBuf frame, long deadlineNanos) {
      ServerCall call =
          new ServerCall(
              this,
              info,
              0,
              method,
              frame,
              0,
              clock.nanoTime(),
              deadlineNanos,
              0,
              null,
              CallTrace.NONE);
      Optional<CallBudget> inline = method.policy().inline();
      boolean isDone =
          inline.isPresent() && call.tryInline(inlineBudget(), new EventLoopBudget(Runnable::run));
      afterReading.forEach(Runnable::run);
      afterReading.clear();
      if (!isDone) {
        call.run();
      }
    }

    @Override
    public Clock clock() {
      return clock;
    }

    /** The call is over. Unless it was answered by a frame of its own, its answer is inline. */
    @Override
    public void finished(int bytes) {
      response()
          .complete(answeredInline.isReadable() ? Optional.of(answeredInline) : Optional.empty());
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public RpcMetrics metrics() {
      return metrics;
    }

    /** Passes on what ends a simulated machine, or fails a test. */
    @Override
    public void failing(Throwable failure) {
      if (failure instanceof Error error && !(error instanceof StackOverflowError)) {
        response().completeExceptionally(error); // thrown at the caller, if another thread answers
        throw error;
      }
    }

    @Override
    public CallTimers timers() {
      return CallTimers.OFF;
    }

    @Override
    public SlowLog slowLog() {
      return slowLog;
    }

    @Override
    public MemoryAccount memory() {
      return memory;
    }

    @Override
    public ResponseBuffers responseBuffers() {
      return responseBuffers;
    }

    @Override
    public IntFunction<ByteBuf> roomAfterReading() {
      return bytes -> answeredInline.ensureWritable(bytes);
    }

    @Override
    public void afterReading(Runnable task) {
      if (!response().isDone()) {
        afterReading.add(task);
      }
    }
  }
}
