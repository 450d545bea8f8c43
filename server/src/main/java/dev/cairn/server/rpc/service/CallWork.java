package dev.cairn.server.rpc.service;

import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.probe.Marks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of one call, from its admission to its end, apart from its connection. {@link #run} may
 * be called twice: with the budget of a network thread, and then with that of a handler. Each
 * interceptor is asked once, or once by each thread if it wants so ({@link Admission#THIS_THREAD}),
 * and is told of the end once. One thread at a time.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public final class CallWork<Q, R> {
  private static final Logger LOG = LoggerFactory.getLogger(CallWork.class);

  private final RpcMethod<Q, R> method;
  private int admitted; // the number of checks that have admitted the call
  private long perThread; // one bit for each check that admitted the work of one thread only
  private List<Admission> admissions = List.of(); // those that hear of the call's course
  private CallOutcome.Continuation<R> continuation; // null unless a part of the work is done

  /** Creates the work of a call that has not begun. */
  public CallWork(RpcMethod<Q, R> method) {
    this.method = method;
  }

  public RpcMethod<Q, R> method() {
    return method;
  }

  /** Tells whether the last {@link #run} has left a continuation. */
  public boolean isPartial() {
    return continuation != null;
  }

  /**
   * Does the work as far as the call's budget allows: all of it, with a handler's budget. A read
   * for which the memory does not suffice waits for more, and is done again.
   *
   * @throws IOException the error for the client
   * @throws MemoryShortageException on a network thread, if a handler should wait for memory
   */
  public CallOutcome<R> run(RpcCall call, Q request) throws IOException {
    boolean mayWait = call.budget().mayWait();
    int before = admissions.size();
    Optional<InlineBackoff<Q>> backoff = mayWait ? Optional.empty() : method.backoff();
    if (backoff.isPresent() && !backoff.get().tryNext(request)) {
      assert Marks.hit(CallMark.INLINE_BACKED_OFF);
      return CallOutcome.declined();
    }
    try {
      if (!isAdmitted(call, request)) {
        return CallOutcome.declined();
      }
      if (mayWait) {
        return finish(call, request);
      }
      CallOutcome<R> outcome = method.handler().handle(call, request);
      if (backoff.isPresent()) {
        backoff.get().tried(request, outcome);
      }
      if (outcome instanceof CallOutcome.Unfinished<R> begun) {
        continuation = begun.continuation().orElse(null);
      }
      return outcome;
    } catch (IOException | RuntimeException e) {
      if (method.errors().isEmpty() || e instanceof MemoryShortageException && !mayWait) {
        throw e;
      }
      throw method.errors().get().forClient(call, e);
    } finally {
      for (int i = admissions.size() - 1; i >= before; i--) {
        Admission admission = admissions.get(i);
        guarded(admission::left);
      }
    }
  }

  private boolean isAdmitted(RpcCall call, Q request) throws IOException {
    List<CallCheck<Q>> checks = method.checks();
    for (long again = perThread; again != 0; again &= again - 1) {
      Admission admission = checks.get(Long.numberOfTrailingZeros(again)).admit(call, request);
      if (admission != Admission.FREE && admission != Admission.THIS_THREAD) {
        throw new IllegalStateException("A check that was asked again returned " + admission);
      }
    }
    while (admitted < checks.size()) {
      Admission admission = Objects.requireNonNull(checks.get(admitted).admit(call, request));
      if (admission == Admission.ON_HANDLER) {
        if (call.budget().mayWait()) {
          throw new IllegalStateException("A handler has asked for the admission");
        }
        return false;
      }
      admitted++;
      if (admission == Admission.THIS_THREAD) {
        perThread |= 1L << admitted - 1;
      } else if (admission != Admission.FREE) {
        if (admissions.isEmpty()) {
          admissions = new ArrayList<>(checks.size());
        }
        admissions.add(admission);
      }
    }
    return true;
  }

  private CallOutcome<R> finish(RpcCall call, Q request) throws IOException {
    while (true) {
      try {
        if (continuation == null) {
          return method.handler().handle(call, request);
        }
        CallOutcome.Continuation<R> rest = continuation;
        continuation = null;
        return new CallOutcome.Answered<>(rest.finish());
      } catch (MemoryShortageException e) {
        if (e.isPermanent() || !method.policy().quota().isRead()) {
          throw e;
        }
        call.memory().await(e);
      }
    }
  }

  /** Tells the interceptors of the call's end. Only the first call has an effect. */
  public void end(RpcCall call, CallEnd end) {
    List<Admission> ending = admissions;
    admissions = List.of();
    for (int i = ending.size() - 1; i >= 0; i--) {
      Admission admission = ending.get(i);
      guarded(() -> admission.ended(call, end));
    }
  }

  /** Runs an interceptor's code. Its failure must not harm the call, nor other interceptors. */
  private void guarded(Runnable interceptor) {
    try {
      interceptor.run();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("An interceptor failed after {}", method.policy().fullName(), e);
    }
  }

  /** Tells whether an interceptor wants to hear of the call's end. */
  public boolean isWatched() {
    return !admissions.isEmpty();
  }

  /** Releases the resources of the work; does nothing if it has ended. */
  public void drop(RpcCall call) {
    if (continuation != null) {
      CallOutcome.Continuation<R> rest = continuation;
      continuation = null;
      try {
        rest.drop();
      } finally {
        end(call, CallEnd.DROPPED);
      }
    } else {
      end(call, CallEnd.DROPPED);
    }
  }
}
