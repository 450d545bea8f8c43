package dev.cairn.server.rpc;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.time.PhaseTimes;
import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.rpc.service.CallBudget;
import dev.cairn.server.rpc.service.CallEnd;
import dev.cairn.server.rpc.service.CallMark;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.CallWork;
import dev.cairn.server.rpc.service.ClientVersion;
import dev.cairn.server.rpc.service.HandlerPool;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.wire.CellBlockCodec;
import dev.cairn.server.rpc.wire.ResponseBody;
import dev.cairn.server.rpc.wire.ResponseEncoder;
import dev.cairn.server.rpc.wire.RpcErrors;
import dev.cairn.server.tracing.CallTrace;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call from its frame to its response. The network thread reads the header and creates the
 * call. It answers short calls itself ({@link #tryInline}). A handler answers the others ({@link
 * #run}), and parses their messages and cells, so that a long request holds up no other connection.
 *
 * <p>One thread at a time: the network thread, then perhaps a handler, or the thread that completes
 * a call of the network thread.
 */
final class ServerCall implements RpcCall, CellBuffer.Growth, CallQueue.Task, PhaseTimes.Operation {
  private static final Logger LOG = LoggerFactory.getLogger(ServerCall.class);
  private static final long NOT_ANSWERED = -1;

  /** The longest time that a call waits for memory: half of the clients' default timeout. */
  private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  private final CallConnection connection;
  private final ConnectionInfo info;
  private final int callId;
  private final CallWork<?, ?> work;
  private final CallRequest request;
  private final int heldBytes;
  private final long receivedNanos;
  private final long deadlineNanos;
  private final CallRecord record;
  private final UnaryOperator<Message> lastReply; // null if the connection continues
  private CellBuffer responseCells; // null if there are none
  private long frameLoan; // the bytes that are borrowed for the request
  private CellBuffer lent; // a response buffer that needs no loan; null if there is none
  private ResponseMemory memory; // null until asked for; then it has the response buffer
  private CallBudget budget = CallBudget.HANDLER;
  private Runnable afterAnswer; // null if nothing follows the answer
  private HandlerPool handlers; // null if no handler answers it
  private volatile boolean ended; // whether an operator has ended the call
  private volatile Runnable stop; // stops the call's work; null if nothing can

  /**
   * Creates a call.
   *
   * @param frame positioned at the delimited request message; released when the call has ended
   * @param cellLength how many bytes of cells follow the message
   * @param frameLoan the bytes that are borrowed for the request; given back when the call has
   *     ended
   * @param lastReply if not null, turns the response into the last message that the connection
   *     sends
   * @param trace receives the call's times if it is traced
   */
  ServerCall(
      CallConnection connection,
      ConnectionInfo info,
      int callId,
      RpcMethod<?, ?> method,
      ByteBuf frame,
      int cellLength,
      long receivedNanos,
      long deadlineNanos,
      long frameLoan,
      UnaryOperator<Message> lastReply,
      CallTrace trace) {
    this.connection = connection;
    this.info = info;
    this.callId = callId;
    this.work = new CallWork<>(method);
    this.heldBytes = frame.readableBytes();
    this.receivedNanos = receivedNanos;
    this.deadlineNanos = deadlineNanos;
    this.frameLoan = frameLoan;
    this.lastReply = lastReply;
    this.record =
        new CallRecord(connection, info, method.policy(), heldBytes, receivedNanos, trace);
    this.request = new CallRequest(method, info.codec(), frame, cellLength, record);
  }

  int heldBytes() {
    return heldBytes;
  }

  /** Describes the call. Any thread may ask. */
  RunningCall describe() {
    InetSocketAddress client = remoteAddress();
    return new RunningCall(
        method().policy().service(),
        method().policy().name(),
        user(),
        client.getAddress().getHostAddress() + ":" + client.getPort(),
        callId,
        heldBytes,
        TimeUnit.NANOSECONDS.toMillis(connection.clock().nanoTime() - receivedNanos),
        stop != null);
  }

  /** Ends the call, if its work can be stopped. Any thread. */
  void end() {
    ended = true;
    stopWork();
  }

  /** Stops the work of the call if it is of a connection that is gone. Any thread. */
  void disconnected(CallConnection gone) {
    if (gone == connection) {
      stopWork();
    }
  }

  private void stopWork() {
    Runnable work = stop;
    if (work != null) {
      work.run();
    }
  }

  int id() {
    return callId;
  }

  RpcMethod<?, ?> method() {
    return work.method();
  }

  /** Returns the kind of the call. Call it before the request of a batch is parsed. */
  CallKind kind() {
    return request.kind();
  }

  /** Tells whether {@link #tryInline} has left a continuation. */
  boolean isPartial() {
    return work.isPartial();
  }

  /**
   * Answers the call on its network thread, or begins to.
   *
   * @param inline the method's budget for the call
   * @param loop the network thread's budget, which the call's time is charged to
   * @return false if a handler must answer or continue the call
   */
  @CompiledApart("begins what a call does on its network thread")
  boolean tryInline(CallBudget inline, EventLoopBudget loop) {
    if (!connection.underWay().tryBeginInline()) {
      return false;
    }
    budget = inline;
    long responseBytes = NOT_ANSWERED;
    try {
      CallOutcome<?> outcome = handleMeasured();
      if (outcome instanceof CallOutcome.Deferred<?> deferred) {
        assert Marks.hit(CallMark.INLINE_DEFERRED);
        record.deferred(connection.clock().nanoTime());
        deferred.response().whenComplete(this::answerDeferred); // at once if it is complete
        return true;
      }
      if (!(outcome instanceof CallOutcome.Answered<?> answered)) {
        return passOn(outcome);
      }
      ResponseBody reply = body(method(), answered.response());
      ResponseEncoder.success(
          connection.roomAfterReading(), callId, reply, responseCells, info.codec());
      responseBytes = reply.size() + (long) responseCellBytes();
      answered(responseBytes);
    } catch (MemoryShortageException e) {
      return passOn(CallOutcome.declined()); // a handler thread may wait for memory
    } catch (Throwable e) {
      fail(e);
    } finally {
      long now = connection.clock().nanoTime();
      loop.spend(now - receivedNanos);
      if (responseBytes != NOT_ANSWERED) {
        assert Marks.hit(CallMark.INLINE_ANSWER);
        record.answeredInline(now, responseBytes);
      }
    }
    endInline();
    return true;
  }

  /** Leaves the call to a handler. */
  private boolean passOn(CallOutcome<?> outcome) {
    if (isPartial()) {
      record.passedOn(connection.clock().nanoTime());
    } else {
      assert Marks.hitIf(outcome instanceof CallOutcome.Unfinished<?>, CallMark.INLINE_BEGUN_AGAIN);
      responseCells = null;
      record.beginsAgain();
      giveBackBuffer();
    }
    connection.underWay().endInline();
    return false;
  }

  /** Answers a call whose method has deferred it. Any thread, once. */
  private void answerDeferred(Object response, Throwable error) {
    try {
      if (error == null) {
        send(response, false);
      } else {
        boolean wrapped = error instanceof CompletionException && error.getCause() != null;
        fail(wrapped ? error.getCause() : error);
      }
    } catch (Throwable e) {
      fail(e);
    } finally {
      endInline();
    }
  }

  private void endInline() {
    drop();
    connection.underWay().endInline();
  }

  /** Tells the interceptors that the call ends, because there is no room for it in its queue. */
  void endedUnqueued(IOException error) {
    work.end(this, new CallEnd.Failed(error));
  }

  /** Releases the call after the scheduler has refused it. */
  void refused() {
    request.release();
    giveBackFrameLoan();
  }

  private void finished() {
    connection.underWay().finished(heldBytes);
    giveBackFrameLoan();
  }

  private void giveBackFrameLoan() {
    connection.memory().giveBack(frameLoan);
    frameLoan = 0;
  }

  @Override
  public void run() {
    boolean deferred = false;
    try {
      long now = connection.clock().nanoTime();
      if (!connection.isOpen() || isExpired(now)) {
        connection.metrics().expired.increment();
        return;
      }
      if (isPartial()) {
        assert Marks.hit(CallMark.INLINE_CONTINUED);
        record.continued(now);
      } else {
        record.started(now);
      }
      budget = CallBudget.HANDLER;
      CallOutcome<?> outcome = handleMeasured();
      if (outcome instanceof CallOutcome.Deferred<?> later) {
        deferred = true;
        connection.underWay().beginDeferred();
        record.deferred(connection.clock().nanoTime());
        later.response().whenComplete(this::answerDeferred);
      } else if (outcome instanceof CallOutcome.Answered<?> answered) {
        releaseRequest(); // sending may wait for memory
        send(answered.response(), true);
      } else {
        throw new IllegalStateException("No thread is left for a call that is not finished");
      }
    } catch (Throwable e) {
      fail(e);
    } finally {
      if (!deferred) {
        drop();
      }
    }
  }

  @Override
  public void queued(HandlerPool pool) {
    handlers = pool;
  }

  @Override
  public Optional<HandlerPool> handlers() {
    return Optional.ofNullable(handlers);
  }

  @Override
  public CallBudget budget() {
    return budget;
  }

  @Override
  public void drop() {
    work.drop(this);
    giveBackBuffer();
    request.release();
    finished();
    if (afterAnswer != null) {
      afterAnswer.run();
    }
  }

  /** The response is encoded, or there will be none: its cells are no longer needed. */
  void giveBackBuffer() {
    if (lent != null) {
      CellBuffer buffer = lent;
      lent = null;
      responseCells = null;
      connection.responseBuffers().giveBack(buffer);
    }
    if (memory != null) {
      responseCells = null;
      memory.close();
    }
  }

  private boolean isExpired(long now) {
    return deadlineNanos != Long.MAX_VALUE && now - deadlineNanos > 0;
  }

  /** Handles the call while it is the thread's current operation. */
  private CallOutcome<?> handleMeasured() throws IOException {
    try (PhaseTimes.Current current = PhaseTimes.enter(this)) {
      return handle(work, request.message());
    }
  }

  @Override
  public PhaseTimes phases() {
    return record.phases();
  }

  @SuppressWarnings("unchecked") // the same method's parser has made the request
  @CompiledApart("leads from the protocol to each kind of call")
  private <Q> CallOutcome<?> handle(CallWork<Q, ?> work, Object message) throws IOException {
    return work.run(this, (Q) message);
  }

  @SuppressWarnings("unchecked") // the same method has made the response
  private static <R> ResponseBody body(RpcMethod<?, R> of, Object response) throws IOException {
    of.answers().check();
    return of.body().apply((R) response);
  }

  private void send(Object response, boolean mayWait) throws IOException {
    boolean last = lastReply != null;
    ResponseBody reply =
        last ? ResponseBody.of(lastReply.apply((Message) response)) : body(method(), response);
    long bytes = reply.size() + (long) responseCellBytes();
    record.answered(connection.clock().nanoTime(), bytes);
    ByteBuf frame =
        ResponseEncoder.successAlone(
            length -> frame(length, mayWait), callId, reply, responseCells, info.codec());
    answered(bytes);
    connection.send(frame, last, memory == null ? 0 : memory.handOver(frame.readableBytes()));
  }

  private void answered(long bytes) {
    if (work.isWatched()) {
      work.end(this, new CallEnd.Answered(bytes));
    }
  }

  private ByteBuf frame(int length, boolean mayWait) {
    long buffered = lent == null ? 0 : lent.capacity();
    if (memory != null || buffered + length > ResponseMemory.FREE_BYTES) {
      memory().encoding(length, mayWait);
    }
    return connection.allocator().buffer(length);
  }

  private void fail(Throwable failure) {
    connection.failing(failure);
    Throwable error = failure;
    if (failure instanceof MemoryShortageException) {
      error = RpcErrors.forCaller(failure);
    } else if (failure instanceof IllegalArgumentException) {
      // Cells that are none, or a value in the message that a constructor refused.
      error = new DoNotRetryIOException(name() + ": " + failure.getMessage(), failure);
    }
    IOException told = RpcErrors.forCaller(error);
    connection.metrics().failed(told);
    record.failed(connection.clock().nanoTime(), told);
    work.end(this, new CallEnd.Failed(told));
    if (error instanceof StackOverflowError) {
      LOG.warn(
          "{} from {} is nested too deeply", name(), remoteAddress()); // its trace says nothing
    } else if (!(error instanceof IOException)) {
      LOG.error("{} from {} failed", name(), remoteAddress(), error);
    } else {
      LOG.debug("{} from {}: {}", name(), remoteAddress(), error.toString());
    }
    connection.send(
        ResponseEncoder.failure(connection.allocator(), callId, told), lastReply != null, 0);
  }

  private String name() {
    return method().policy().fullName();
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return connection.remoteAddress();
  }

  @Override
  public String user() {
    return info.user();
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
  public boolean isAbandoned() {
    return ended || !connection.isOpen();
  }

  @Override
  public void onAbandoned(Runnable work) {
    stop = work;
    if (isAbandoned()) {
      work.run();
    }
  }

  @Override
  public CellBuffer requestCells() {
    return request.cells();
  }

  @Override
  public void borrowForRequest(long bytes) throws IOException {
    MemoryAccount account = connection.memory();
    if (bytes > account.largestLoan()) {
      throw RpcErrors.forCaller(
          MemoryShortageException.forGood(
              bytes,
              "The cells of this mutation need "
                  + bytes
                  + " bytes of memory, because each of them contains the row. This server's heap"
                  + " allows at most "
                  + account.largestLoan()
                  + " bytes. Send fewer cells per mutation"));
    }
    boolean isLent =
        frameLoan + memory().borrowedBytes() > account.mostHeldByWaiter()
            ? account.tryBorrow(bytes)
            : account.borrow(bytes, memoryDeadlineNanos());
    if (!isLent) {
      throw RpcErrors.forCaller(MemoryShortageException.forNow(bytes, account));
    }
    frameLoan += bytes;
  }

  @Override
  public void releaseRequest() {
    request.forget();
    giveBackFrameLoan();
  }

  @Override
  public void concerns(ByteString regionName) {
    record.concerns(regionName);
  }

  @Override
  public void timedBy(Histogram times) {
    record.timedBy(times);
  }

  @Override
  public boolean acceptsCellBlock() {
    return info.codec() != CellBlockCodec.NONE;
  }

  @Override
  public ClientVersion clientVersion() {
    return info.version();
  }

  @Override
  public boolean acceptsTags() {
    return info.codec() == CellBlockCodec.KEY_VALUE_WITH_TAGS;
  }

  @Override
  @CompiledApart("takes the buffer of an answer")
  public CellBuffer responseBuffer(int bytes) {
    if (memory != null || lent != null || bytes > ResponseBuffers.SHORT_BYTES) {
      return memory().buffer(bytes);
    }
    lent = connection.responseBuffers().take(bytes);
    lent.watch(this);
    return lent;
  }

  @Override
  public void growing(long capacity) {
    if (!ResponseMemory.isFree(capacity)) {
      memory().growing(capacity);
    }
  }

  @Override
  public ResponseMemory memory() {
    if (memory == null) {
      memory =
          new ResponseMemory(
              connection.memory(),
              connection.responseBuffers(),
              connection.clock(),
              memoryDeadlineNanos(),
              () -> frameLoan);
      if (lent != null) {
        memory.adopt(lent);
        lent = null;
      }
    }
    return memory;
  }

  /** Returns the clock's time at which the call stops waiting for memory. */
  private long memoryDeadlineNanos() {
    long waits =
        deadlineNanos == Long.MAX_VALUE
            ? WAIT_NANOS_MAX
            : Math.min(WAIT_NANOS_MAX, (deadlineNanos - receivedNanos) / 2);
    return receivedNanos + waits;
  }

  @Override
  public void afterReading(Runnable task) {
    connection.afterReading(task);
  }

  @Override
  public void afterAnswer(Runnable task) {
    afterAnswer = task;
  }

  @Override
  public int responseCellBytes() {
    return responseCells == null ? 0 : responseCells.byteSize();
  }

  @Override
  public void setResponseCells(CellBuffer cells) {
    if (!acceptsCellBlock()) {
      throw new IllegalStateException("The caller reads no cells beside the message of " + name());
    }
    this.responseCells = cells;
  }
}
