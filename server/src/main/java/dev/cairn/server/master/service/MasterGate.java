package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.Master;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;

/**
 * The way from a handler thread to the master's owner: refuses calls while this master does not
 * lead or while its session may be over, in the way that HBase's clients expect, and waits for
 * answers no longer than the caller does.
 *
 * <p>A refused client retries after pauses that grow to seconds. So some callers of a master that
 * is about to answer wait here for a moment instead: when a server starts, its first client is
 * answered as soon as possible.
 */
final class MasterGate {
  /** The maximum wait of a caller without a deadline. */
  static final Duration PATIENCE_MAX = Duration.ofMinutes(2);

  /** The time for which a caller is kept while the master is about to answer. */
  static final Duration START_PATIENCE = Duration.ofSeconds(2);

  private static final Duration END_PATIENCE = Duration.ofSeconds(1);

  /** As many calls are kept waiting at most. */
  private static final int WAITING_MAX = 5;

  /**
   * The handlers per waiting one: at most this fraction of them waits, because the operations they
   * wait for may need handlers, too.
   */
  private static final int HANDLERS_PER_WAITING = 4;

  private final Master master;
  private final Duration startPatience;
  private final Semaphore waiting;
  private final NonceTurns nonces;

  /**
   * Creates it.
   *
   * @param startPatience how long a caller is kept while the master is about to answer
   */
  MasterGate(Master master, Duration startPatience) {
    this.master = master;
    this.startPatience = startPatience;
    this.nonces = new NonceTurns(master.context().clock());
    this.waiting =
        new Semaphore(Math.min(WAITING_MAX, master.context().handlers() / HANDLERS_PER_WAITING));
  }

  /** Answers from the master's state. */
  @FunctionalInterface
  interface Question<T> {
    T answer(ActiveMaster master) throws IOException;
  }

  /** Begins something whose end completes the future. */
  @FunctionalInterface
  interface Beginning<T> {
    void begin(ActiveMaster master, CompletableFuture<T> future) throws IOException;
  }

  Master master() {
    return master;
  }

  /**
   * Answers a request so that hooks do not see it twice.
   *
   * @param repeated answers a request that an earlier one with the same nonce has been accepted for
   * @param first answers any other request
   */
  <R> R once(
      RpcCall call,
      Optional<Nonce> nonce,
      NonceTurns.Answer<R> repeated,
      NonceTurns.Answer<R> first)
      throws IOException {
    if (nonce.isEmpty()) {
      return first.answer();
    }
    return nonces.inTurn(
        nonce.get(),
        patience(call),
        () ->
            ask(call, master -> isKnown(master, nonce.get())) ? repeated.answer() : first.answer());
  }

  private static boolean isKnown(ActiveMaster master, Nonce nonce) {
    return master.procedures().knows(nonce) || master.procedures().clientLocks().knows(nonce);
  }

  /**
   * Returns if the caller still waits for an answer.
   *
   * @throws TimeoutIOException if the deadline of the call has passed
   */
  void requireTime(RpcCall call, String method) throws TimeoutIOException {
    if (patience(call).isZero()) {
      throw new TimeoutIOException(
          "The deadline of the call passed in a hook before " + method + ", which is left out");
    }
  }

  /** Asks an initialized master. */
  <T> T ask(RpcCall call, Question<T> question) throws IOException {
    return request(call, (active, future) -> future.complete(question.answer(active)));
  }

  /** Has an initialized master begin something, and waits for its end. */
  <T> T request(RpcCall call, Beginning<T> beginning) throws IOException {
    await(call, master.answering());
    T answer =
        requestEarly(
            call, (active, future) -> beginning.begin(active.requireInitialized(), future));
    checkLease(); // last, so that this master led while it answered
    return answer;
  }

  private void checkLease() throws PleaseHoldException {
    if (master.context().coordination().lease().isOver()) {
      throw new PleaseHoldException(
          "Master "
              + master.self()
              + " has not heard from ZooKeeper for so long that another master may lead");
    }
  }

  /**
   * Returns the master if it leads, initialized or not; otherwise the caller must ask another one.
   */
  ActiveMaster requireLeading(RpcCall call) throws IOException {
    await(call, master.leading());
    return requireActive();
  }

  /** Has a master that leads, initialized or not, begin something, and waits for its end. */
  <T> T requestEarly(RpcCall call, Beginning<T> beginning) throws IOException {
    ActiveMaster active = requireLeading(call);
    return master
        .loop()
        .request(
            future -> {
              try {
                beginning.begin(active, future);
              } catch (IOException e) {
                future.completeExceptionally(e);
              } catch (RuntimeException e) {
                future.completeExceptionally(
                    new DoNotRetryIOException("The request cannot be understood: " + e, e));
              }
            },
            patience(call));
  }

  /** Answers a caller that may be kept waiting for this time. */
  @FunctionalInterface
  interface PatientAnswer<T> {
    T answer(Duration patience) throws IOException;
  }

  /**
   * Answers a caller that waits for the end of an operation and polls with growing pauses: keeping
   * it waiting lets it learn of the end at once. Few are kept, and not for long, since each holds a
   * handler.
   */
  <T> T answerPatiently(RpcCall call, PatientAnswer<T> answer) throws IOException {
    if (!waiting.tryAcquire()) {
      return answer.answer(Duration.ZERO);
    }
    try {
      Duration most = patience(call).dividedBy(4);
      return answer.answer(most.compareTo(END_PATIENCE) < 0 ? most : END_PATIENCE);
    } finally {
      waiting.release();
    }
  }

  /** Sets a switch, and returns its position before. */
  boolean set(RpcCall call, Switch one, boolean on) throws IOException {
    return this.<Boolean>request(
        call,
        (active, future) -> {
          boolean before = active.switches().isOn(one);
          active
              .switches()
              .set(
                  one,
                  on,
                  Completion.of(() -> future.complete(before), future::completeExceptionally));
        });
  }

  /** Submits a procedure and returns its id. */
  long submit(RpcCall call, Optional<Nonce> nonce, Question<Procedure> procedure)
      throws IOException {
    return this.<Long>request(
        call,
        (active, future) ->
            active
                .procedures()
                .submit(
                    procedure.answer(active),
                    call.user(),
                    nonce,
                    Optional.of(patience(call).dividedBy(2)), // so that the refusal is in time
                    future));
  }

  /**
   * Has the coprocessors of a table examined, so that the loop can check the table without reading
   * their jars.
   */
  void examine(RpcCall call, TableSchema table) throws IOException {
    requireLeading(call);
    master.context().schemas().examine(table);
  }

  /**
   * Submits a procedure and returns its id. Clients before 2.0 do not ask for the end of this
   * procedure, so their response waits for the end, but at most a second.
   */
  long submitToEnd(RpcCall call, Optional<Nonce> nonce, Question<Procedure> procedure)
      throws IOException {
    long id = submit(call, nonce, procedure);
    if (!call.clientVersion().isAtLeast(2, 0)) {
      answerPatiently(call, patience -> ProcedureMethods.result(this, call, id, patience));
    }
    return id;
  }

  /** Waits for a moment; what {@code event} did not bring, the caller is refused for. */
  private void await(RpcCall call, CompletableFuture<Void> event) throws IOException {
    if (event.isDone() || !master.mayLead() || !waiting.tryAcquire()) {
      return;
    }
    try {
      Duration left = patience(call);
      Duration wait = left.compareTo(startPatience) < 0 ? left : startPatience;
      master
          .context()
          .clock()
          .await(event, wait.toNanos()); // otherwise the caller learns the reason
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while the master starts");
    } finally {
      waiting.release();
    }
  }

  private ActiveMaster requireActive() throws ServerNotRunningYetException {
    Optional<ActiveMaster> active = master.active();
    return active.orElseThrow(() -> new ServerNotRunningYetException("Server is not running yet"));
  }

  private Duration patience(RpcCall call) {
    if (call.deadlineNanos() == Long.MAX_VALUE) {
      return PATIENCE_MAX;
    }
    long now = master.context().clock().nanoTime();
    Duration left = Duration.ofNanos(Math.max(0, call.deadlineNanos() - now));
    return left.compareTo(PATIENCE_MAX) < 0 ? left : PATIENCE_MAX;
  }
}
