package dev.cairn.server.rpc.service;

import dev.cairn.server.rpc.wire.ResponseBody;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * A protobuf service and its registered methods, each with its entry in the service's {@link
 * MethodTable}. Other methods are refused by name. Any number of threads.
 */
public final class RpcService {

  /** Turns the failures of a service's methods into errors that clients know. Thread-safe. */
  @FunctionalInterface
  public interface CallErrors {
    /**
     * Returns the error for the client.
     *
     * @param failure the exception of a method or an interceptor: an {@link IOException} or a
     *     {@link RuntimeException}
     */
    IOException forClient(RpcCall call, Exception failure);
  }

  private final MethodTable table;
  private final List<CallInterceptor> interceptors;
  private final AnswerCheck answers;
  private final Optional<CallErrors> errors;

  /** The methods that are registered so far; never changed, but replaced. */
  private volatile Map<String, RpcMethod<?, ?>> methods;

  /** Registers the other methods, in this order; guarded by this. */
  private final Queue<Consumer<Builder>> later;

  private RpcService(Builder builder) {
    this.table = builder.table;
    this.interceptors = builder.interceptors;
    this.answers = builder.answers;
    this.errors = builder.errors;
    this.methods = Map.copyOf(builder.methods);
    this.later = new ArrayDeque<>(builder.later);
  }

  /**
   * Returns a builder for the service whose methods {@code table} declares.
   *
   * @param interceptors stand before all methods, the first outermost
   */
  public static Builder builder(MethodTable table, List<CallInterceptor> interceptors) {
    return new Builder(table, interceptors);
  }

  /** Returns the service's name, for example {@code ClientService}. */
  public String name() {
    return table.service();
  }

  /** Returns the names of all methods, including those that are registered later. */
  public synchronized Set<String> methodNames() {
    while (!later.isEmpty()) {
      registerMore();
    }
    return methods.keySet();
  }

  /** Returns the method of that name, if it is registered. */
  public Optional<RpcMethod<?, ?>> method(String name) {
    RpcMethod<?, ?> method = methods.get(name);
    if (method == null && table.find(name).isPresent()) {
      method = registeredNow(name);
    }
    return Optional.ofNullable(method);
  }

  private synchronized RpcMethod<?, ?> registeredNow(String name) {
    while (!methods.containsKey(name) && !later.isEmpty()) {
      registerMore();
    }
    return methods.get(name);
  }

  private void registerMore() {
    Builder builder = new Builder(table, interceptors);
    builder.answers = answers;
    builder.errors = errors;
    builder.methods.putAll(methods);
    later.element().accept(builder);
    methods = Map.copyOf(builder.methods);
    later.remove(); // not before: if it fails, the next call of one of its methods tries again
  }

  /** Returns the error for a method that is not registered. */
  public IOException unknown(String name) {
    return new DoNotRetryIOException(
        table
            .refusal(name)
            .orElse(
                table.find(name).isPresent()
                    ? "The RPC " + name() + "." + name + " is not served on this port"
                    : "The service " + name() + " has no method " + name));
  }

  /** Collects the methods of a service. */
  public static final class Builder {
    private final MethodTable table;
    private final List<CallInterceptor> interceptors;
    private final Map<String, RpcMethod<?, ?>> methods = new HashMap<>();
    private final List<Consumer<Builder>> later = new ArrayList<>();
    private AnswerCheck answers = AnswerCheck.NONE;
    private Optional<CallErrors> errors = Optional.empty();

    private Builder(MethodTable table, List<CallInterceptor> interceptors) {
      this.table = table;
      this.interceptors = List.copyOf(interceptors);
    }

    /** Returns the name of the service. */
    public String service() {
      return table.service();
    }

    /** Checks the answers of all methods that are registered from now on. */
    public Builder answering(AnswerCheck answers) {
      this.answers = answers;
      return this;
    }

    /** Translates the failures of all methods that are registered from now on. */
    public Builder failing(CallErrors errors) {
      this.errors = Optional.of(errors);
      return this;
    }

    /**
     * Registers a method that handlers alone answer, with a protobuf message.
     *
     * @throws IllegalArgumentException as below
     */
    public <Q extends Message, R extends Message> Builder on(
        String name,
        Q requestPrototype,
        CallSubject.Reader<Q> subject,
        RpcMethod.BlockingHandler<Q, R> handler) {
      return on(
          name,
          RpcMethod.Parser.of(requestPrototype),
          subject,
          RpcMethod.blocking(handler),
          Optional.empty(),
          ResponseBody::of);
    }

    /**
     * Registers a method.
     *
     * @throws IllegalArgumentException if it is registered already, or if it has no entry in the
     *     service's table
     */
    public <Q, R> Builder on(
        String name,
        RpcMethod.Parser<Q> parser,
        CallSubject.Reader<Q> subject,
        RpcMethod.Handler<Q, R> handler,
        Optional<InlineBackoff<Q>> backoff,
        Function<R, ResponseBody> body) {
      MethodPolicy policy =
          table
              .find(name)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          table.service() + "." + name + " has no entry in MethodTables: add one"));
      List<CallCheck<Q>> checks = new ArrayList<>();
      for (CallInterceptor interceptor : interceptors) {
        interceptor.check(policy, subject).ifPresent(checks::add);
      }
      RpcMethod<Q, R> method =
          new RpcMethod<>(
              policy,
              parser,
              subject,
              List.copyOf(checks),
              handler,
              backoff,
              body,
              answers,
              errors);
      if (methods.put(name, method) != null) {
        throw new IllegalArgumentException(name + " is registered twice");
      }
      return this;
    }

    /**
     * Adds a group of methods that register when a client first calls a method that is not
     * registered. Groups register in turn until the method is found. Each method loads about five
     * classes, so the first such caller waits a few milliseconds, and the start is faster. No two
     * groups register the same method.
     */
    public Builder later(Consumer<Builder> group) {
      later.add(group);
      return this;
    }

    /** Returns the service. */
    public RpcService build() {
      return new RpcService(this);
    }
  }
}
